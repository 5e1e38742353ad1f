package dev.weir.servlet;

import dev.weir.config.Weir.Delays;
import dev.weir.http.spi.Completion;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Delayed;
import dev.weir.http.spi.Outcome.Diverted;
import dev.weir.http.spi.Outcome.Rejected;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits without a thread. When its outcome is known, it is dispatched to its
 * original target, already decided. If it is rejected, one of the container's threads sends the
 * answer. If the container reports before that that the client has gone, its queue position is
 * released.
 *
 * <p>It is dispatched as the container made it: the filters in front run again, and each wraps it
 * again. The wrappers from before are left out, otherwise each would wrap it twice.
 */
final class DelayedRequest implements AsyncListener {

  /**
   * The time that a container may need to resume a request. It is reached only on a bug of ours.
   */
  private static final long MARGIN_MILLIS = 10_000;

  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final Delayed delayed;
  private final BiConsumer<Outcome, HttpServletResponse> fields;
  private final AtomicBoolean isDecided = new AtomicBoolean();
  private final AsyncContext async;
  private final long timeoutMillis;

  /**
   * The end of a request that was let in. This passes on what the container reports: Payara lets
   * nothing listen any more when its thread has returned.
   */
  private volatile EndingRequest.@Nullable End end;

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
   * Starts the wait and frees this thread.
   *
   * @param fields sets the fields of an outcome
   * @return false when the container does not support it; see {@link #left} then
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
      return false;
    }
  }

  /**
   * Leaves the queue, because the request cannot wait without its thread.
   *
   * @return the outcome that was decided before; empty when the request has left without one, so
   *     that it must be decided anew
   */
  static Optional<Outcome> left(Delayed delayed) {
    delayed.leave();
    try {
      return Optional.of(delayed.later().toCompletableFuture().join());
    } catch (CancellationException | CompletionException failure) {
      return hasLeft(failure) ? Optional.empty() : Optional.of(delayed.otherwise());
    }
  }

  private static boolean hasLeft(@Nullable Throwable failure) {
    return failure instanceof CancellationException
        || (failure != null && failure.getCause() instanceof CancellationException);
  }

  private void listen() {
    async.setTimeout(delayed.longest().toMillis() + MARGIN_MILLIS);
    async.addListener(this);
    delayed.later().whenComplete(this::decided);
  }

  private void decided(@Nullable Outcome outcome, @Nullable Throwable failure) {
    if (hasLeft(failure)) {
      return;
    }
    if (!isDecided.getAndSet(true)) {
      render(outcome == null ? delayed.otherwise() : outcome);
    } else if (outcome != null) {
      outcome.completion().ifPresent(Completion::failed);
    }
  }

  private void render(Outcome outcome) {
    try {
      if (outcome instanceof Rejected rejected) {
        async.start(() -> refuse(rejected));
      } else {
        fields.accept(outcome, response);
        outcome.completion().ifPresent(this::follow);
        dispatch(outcome);
      }
    } catch (RuntimeException notTaken) {
      outcome.completion().ifPresent(Completion::failed);
      refuse(outcome instanceof Rejected rejected ? rejected : delayed.otherwise());
    }
  }

  private void follow(Completion completion) {
    EndingRequest.End following =
        new EndingRequest.End(completion, new ServletRequestView.Ended(request, response));
    following.follow(request);
    end = following;
  }

  /**
   * Dispatches the request. Asynchronous work from here on has the container's original timeout.
   */
  private void dispatch(Outcome outcome) {
    try {
      async.setTimeout(timeoutMillis);
    } catch (IllegalStateException tooLate) {
      // too late for some containers once the thread has returned: the longer timeout stays
    }
    if (outcome instanceof Diverted diverted
        && request.getRequestDispatcher(diverted.path()) != null) {
      async.dispatch(diverted.path());
    } else {
      async.dispatch();
    }
  }

  /**
   * Sends the answer by the container's own response. A filter in front that wrapped it has
   * returned, and will not see the request again.
   */
  private void refuse(Rejected rejected) {
    try {
      HttpServletResponse own = (HttpServletResponse) async.getResponse();
      fields.accept(rejected, own);
      Rejection.sendHere(rejected, request, own);
    } catch (IOException | RuntimeException gone) {
      // the client cannot be reached any longer
    } finally {
      complete();
    }
  }

  private void complete() {
    try {
      async.complete();
    } catch (IllegalStateException ended) {
      // the container completed it first
    }
  }

  /** Called last, whatever the result of the request. */
  @Override
  public void onComplete(AsyncEvent event) {
    EndingRequest.@Nullable End followed = end;
    if (!isDecided.getAndSet(true)) {
      delayed.leave();
    } else if (followed != null) {
      followed.onComplete(event);
    }
  }

  /** The wait itself times out only when something has gone wrong with it. */
  @Override
  public void onTimeout(AsyncEvent event) {
    if (!isDecided.getAndSet(true)) {
      delayed.leave();
      refuse(delayed.otherwise());
    }
  }

  /** The client has gone, or the target of the dispatch has failed. */
  @Override
  public void onError(AsyncEvent event) {
    EndingRequest.@Nullable End followed = end;
    if (!isDecided.getAndSet(true)) {
      delayed.leave();
    } else if (followed != null) {
      followed.onError(event);
    }
  }

  /** Listens again: a dispatch that starts asynchronously again drops the previous listeners. */
  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this);
    EndingRequest.@Nullable End followed = end;
    if (followed != null) {
      followed.restarted();
    }
  }

  /**
   * The conditions for a wait without a thread. A waiting request continues by an asynchronous
   * dispatch. That dispatch skips every filter that is not mapped to it, for example one that
   * checks rights. An application does not expose how its filters are mapped. So with any other
   * filter present, requests wait on their threads, unless the application's setting allows more.
   *
   * @param delays the application's setting
   * @param others the filters that a dispatch might skip; a second filter of ours is one of them. A
   *     filter that answers handshakes is none, since these wait on their threads
   * @param hasWarned whether the log says that a request does not support to wait without a thread
   */
  record Room(Delays delays, List<String> others, AtomicBoolean hasWarned) {

    private static final Logger LOG = System.getLogger("dev.weir.servlet");

    static Room of(Delays delays, FilterConfig filter) {
      List<String> others =
          filter.getServletContext().getFilterRegistrations().values().stream()
              .filter(other -> !other.getName().equals(filter.getFilterName()))
              .filter(other -> !Handshakes.areServedBy(other))
              .map(other -> other.getName())
              .sorted()
              .toList();
      return new Room(delays, others, new AtomicBoolean());
    }

    /**
     * Returns whether this request can wait without a thread. An application does not expose which
     * of its filters and servlets support that. So only a request shows that one of them does not.
     */
    boolean isFor(HttpServletRequest request) {
      boolean isMeant =
          (delays == Delays.ASYNC || (delays == Delays.AUTO && others.isEmpty()))
              && request.getDispatcherType() == DispatcherType.REQUEST
              && !request.isAsyncStarted()
              && !Handshakes.isOne(request);
      if (isMeant && !request.isAsyncSupported() && !hasWarned.getAndSet(true)) {
        LOG.log(
            Level.WARNING,
            "requests that a rule delays hold their threads, 16 at most, because 'async-supported' is not set at this filter, or at the servlet or another filter of the request: set it to true at all of them, or set 'delays: on-thread'");
      }
      return isMeant && request.isAsyncSupported();
    }

    /**
     * Returns a warning for the start where a rule delays; empty when no thread is held against the
     * settings.
     */
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
