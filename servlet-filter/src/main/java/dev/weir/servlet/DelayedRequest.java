package dev.weir.servlet;

import dev.weir.config.Delays;
import dev.weir.http.Completion;
import dev.weir.http.Delayed;
import dev.weir.http.Outcome;
import dev.weir.http.Outcome.Diverted;
import dev.weir.http.Outcome.Rejected;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits without a thread. When its outcome is known it is dispatched to where it was
 * going, decided already; or it is refused on one of the container's threads. Where the container
 * says that the client has gone before that, its place is given back.
 *
 * <p>It is dispatched as the container made it: the filters in front run again, and each wraps it
 * anew. What they had wrapped it in before would be wrapped a second time.
 */
final class DelayedRequest implements AsyncListener {

  /** What a container may need to take up a request again. Never reached, unless we fail. */
  private static final long MARGIN_MILLIS = 10_000;

  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final Delayed delayed;
  private final BiConsumer<Outcome, HttpServletResponse> fields;
  private final AtomicBoolean isDecided = new AtomicBoolean();
  private final AsyncContext async;
  private final long timeoutMillis;
  private volatile Optional<Completion> completion = Optional.empty();

  private DelayedRequest(
      HttpServletRequest request,
      HttpServletResponse response,
      Delayed delayed,
      BiConsumer<Outcome, HttpServletResponse> fields) {
    this.request = request;
    this.delayed = delayed;
    this.fields = fields;
    this.response = response;
    this.async = request.startAsync();
    this.timeoutMillis = async.getTimeout();
  }

  /**
   * Frees this thread.
   *
   * @param fields sets those of an outcome
   * @return false when the container would not have it; the client has left then, as it were
   */
  static boolean begin(
      HttpServletRequest request,
      HttpServletResponse response,
      Delayed delayed,
      BiConsumer<Outcome, HttpServletResponse> fields) {
    try {
      new DelayedRequest(request, response, delayed, fields).listen();
      return true;
    } catch (IllegalStateException notHere) {
      delayed.leave();
      return false;
    }
  }

  private void listen() {
    async.setTimeout(delayed.longest().toMillis() + MARGIN_MILLIS);
    async.addListener(this);
    delayed.later().whenComplete(this::decided);
  }

  private void decided(@Nullable Outcome outcome, @Nullable Throwable failure) {
    if (failure instanceof CancellationException
        || (failure != null && failure.getCause() instanceof CancellationException)) {
      return;
    }
    if (!isDecided.getAndSet(true)) {
      render(outcome == null ? delayed.otherwise() : outcome);
    } else if (outcome != null) {
      outcome.completion().ifPresent(Completion::failed);
    }
  }

  private void render(Outcome outcome) {
    completion = outcome.completion();
    try {
      if (outcome instanceof Rejected rejected) {
        async.start(() -> refuse(rejected));
      } else {
        fields.accept(outcome, response);
        dispatch(outcome);
      }
    } catch (RuntimeException notTaken) {
      completion.ifPresent(Completion::failed);
      refuse(outcome instanceof Rejected rejected ? rejected : delayed.otherwise());
    }
  }

  /** What is started asynchronously from here on has the time that it would have had. */
  private void dispatch(Outcome outcome) {
    try {
      async.setTimeout(timeoutMillis);
    } catch (IllegalStateException tooLate) {
      // to some containers it is, once the thread has returned: the longer one stays
    }
    if (outcome instanceof Diverted diverted
        && request.getRequestDispatcher(diverted.path()) != null) {
      async.dispatch(diverted.path());
    } else {
      async.dispatch();
    }
  }

  private void refuse(Rejected rejected) {
    try {
      fields.accept(rejected, response);
      Rejection.send(rejected, request, response);
    } catch (IOException | RuntimeException gone) {
      // whoever it was for cannot be told
    }
    try {
      async.complete();
    } catch (IllegalStateException ended) {
      // the container was faster
    }
  }

  /** Comes last, whatever became of the request. */
  @Override
  public void onComplete(AsyncEvent event) {
    if (isDecided.getAndSet(true)) {
      completion.ifPresent(it -> it.completed(response.getStatus()));
    } else {
      delayed.leave();
    }
  }

  /** Of the waiting only when something has gone wrong with it. */
  @Override
  public void onTimeout(AsyncEvent event) {
    if (!isDecided.getAndSet(true)) {
      delayed.leave();
      refuse(delayed.otherwise());
    }
  }

  /** The client has gone, or what the request was dispatched to has failed. */
  @Override
  public void onError(AsyncEvent event) {
    if (!isDecided.getAndSet(true)) {
      delayed.leave();
    }
  }

  /** A dispatch has started asynchronously again, which forgets who listened before. */
  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this);
  }

  /**
   * Which requests can wait so. One that waits goes on by an asynchronous dispatch, and that leaves
   * out every filter that is not mapped to it, one that checks rights among them. No application
   * can be asked how its filters are mapped; so with any other filter there, requests wait on their
   * threads unless the application says that all is well.
   *
   * @param delays what the application says
   * @param others the filters that might be left out; a second one of ours is as good as any
   */
  record Room(Delays delays, List<String> others) {

    /** Filters that containers add, which do nothing that a dispatch could leave out. */
    private static final Set<String> OF_CONTAINERS =
        Set.of(
            "org.apache.tomcat.websocket.server.WsFilter",
            "org.eclipse.jetty.ee9.websocket.servlet.WebSocketUpgradeFilter",
            "org.eclipse.jetty.ee10.websocket.servlet.WebSocketUpgradeFilter",
            "org.eclipse.jetty.ee11.websocket.servlet.WebSocketUpgradeFilter");

    static Room of(Delays delays, FilterConfig filter) {
      List<String> others =
          filter.getServletContext().getFilterRegistrations().values().stream()
              .filter(other -> !other.getName().equals(filter.getFilterName()))
              .filter(other -> !OF_CONTAINERS.contains(String.valueOf(other.getClassName())))
              .map(other -> other.getName())
              .sorted()
              .toList();
      return new Room(delays, others);
    }

    boolean isFor(HttpServletRequest request) {
      return canFreeThreads()
          && request.getDispatcherType() == DispatcherType.REQUEST
          && request.isAsyncSupported()
          && !request.isAsyncStarted();
    }

    private boolean canFreeThreads() {
      return delays == Delays.ASYNC || (delays == Delays.AUTO && others.isEmpty());
    }

    /** What to say at the start where a rule delays: nothing when it is as wished. */
    Optional<String> warning() {
      return delays == Delays.AUTO && !others.isEmpty()
          ? Optional.of(
              "requests that a rule delays hold their threads, 16 at most, because of the filters "
                  + String.join(", ", others)
                  + ": an asynchronous dispatch leaves out what is not mapped to ASYNC. Map them to"
                  + " it and set 'delays: async', or set 'delays: on-thread'")
          : Optional.empty();
    }
  }
}
