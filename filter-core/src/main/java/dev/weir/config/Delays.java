package dev.weir.config;

/** How requests wait that a rule delays, in a servlet container. */
public enum Delays {

  /**
   * Without a thread where no filter is there beside the one that delays that a dispatch might
   * leave out, and on their threads otherwise. A request that has waited without a thread goes on
   * by an asynchronous dispatch, and that goes through those filters only that are mapped to {@code
   * ASYNC}.
   */
  AUTO,

  /** Without a thread wherever the request supports it: every filter is mapped to {@code ASYNC}. */
  ASYNC,

  /** On their threads, of which only a few wait at a time. */
  ON_THREAD
}
