package dev.weir.internal.store;

import dev.weir.store.StoreUnavailableException;

/** Descriptions of failures that are fit for a log. */
public final class Failures {

  private Failures() {}

  /**
   * Returns the type of a failure and the place where it was thrown, such as {@code
   * java.lang.IllegalStateException at shop.Users.find(Users.java:42)}. The message is left out,
   * since it may hold a client's secrets. A store's failure is described by its message: it holds
   * no secrets, and says more than any place.
   */
  public static String brief(Throwable failure) {
    if (failure instanceof StoreUnavailableException) {
      return failure.toString();
    }
    StackTraceElement[] trace = failure.getStackTrace();
    return failure.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
  }
}
