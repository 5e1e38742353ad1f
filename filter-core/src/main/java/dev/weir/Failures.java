package dev.weir;

/** Failures, as a log may hear of them. */
public final class Failures {

  private Failures() {}

  /**
   * The type of a failure and the place where it was thrown, such as {@code
   * java.lang.IllegalStateException at shop.Users.find(Users.java:42)}. Not its message, which may
   * hold a client's secrets; but that of a store, which does not, and says more than any place.
   */
  public static String brief(Throwable failure) {
    if (failure instanceof StoreUnavailableException) {
      return failure.toString();
    }
    StackTraceElement[] trace = failure.getStackTrace();
    return failure.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
  }
}
