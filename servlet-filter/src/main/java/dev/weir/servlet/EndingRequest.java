package dev.weir.servlet;

import dev.weir.http.Completion;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * A request that tells how its response ended: when the chain returns, or when the container says
 * that what was started asynchronously is complete, with all its dispatches, time-outs and errors.
 *
 * <p>It is a wrapper to be there when the application starts asynchronously: by the time the chain
 * returns, another thread may have dispatched the request on, and it looks like one that is over.
 */
final class EndingRequest extends HttpServletRequestWrapper implements AsyncListener {

  private final HttpServletResponse response;
  private final Completion completion;

  /** Of this thread: what is started in a later dispatch, the container tells by itself. */
  private boolean isListening;

  private EndingRequest(
      HttpServletRequest request, HttpServletResponse response, Completion completion) {
    super(request);
    this.response = response;
    this.completion = completion;
  }

  static void pass(
      HttpServletRequest request,
      HttpServletResponse response,
      Completion completion,
      FilterChain chain)
      throws IOException, ServletException {
    HttpServletResponse counted =
        completion
            .body()
            .<HttpServletResponse>map(bytes -> new CountingResponse(response, bytes))
            .orElse(response);
    EndingRequest ending = new EndingRequest(request, counted, completion);
    boolean hasReturned = false;
    try {
      chain.doFilter(ending, counted);
      hasReturned = true;
    } finally {
      ending.leave(hasReturned);
    }
  }

  /** What is written later, and by whatever it is dispatched to, counts too, if anything does. */
  @Override
  public AsyncContext startAsync() {
    return listening(
        response instanceof CountingResponse
            ? super.startAsync(this, response)
            : super.startAsync());
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    return listening(super.startAsync(request, response));
  }

  private AsyncContext listening(AsyncContext async) {
    async.addListener(this);
    isListening = true;
    return async;
  }

  private void leave(boolean hasReturned) {
    if (!isListening && isAsyncStarted()) {
      listening(getAsyncContext()); // started behind our back, on a request that was unwrapped
    }
    if (isListening) {
      return;
    }
    if (hasReturned || response.isCommitted()) {
      completion.completed(response.getStatus());
    } else {
      completion.failed(); // whoever catches the exception chooses the status
    }
  }

  /** Comes last, whatever became of the request. */
  @Override
  public void onComplete(AsyncEvent event) {
    completion.completed(response.getStatus());
  }

  /** The container, or the application, completes it after this. */
  @Override
  public void onTimeout(AsyncEvent event) {}

  /** The container completes it after this. */
  @Override
  public void onError(AsyncEvent event) {}

  /** A dispatch has started asynchronously again, which forgets who listened before. */
  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this);
  }
}
