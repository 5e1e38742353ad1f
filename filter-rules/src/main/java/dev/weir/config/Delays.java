package dev.weir.config;

/** How delayed requests wait in a servlet container. */
public enum Delays {

  /**
   * Waits without a thread, unless a filter alongside the delaying one could be skipped by the
   * later dispatch. In that case, requests wait on their threads. A request that waited without a
   * thread continues by an asynchronous dispatch. That dispatch passes only through filters that
   * are mapped to {@code ASYNC}.
   */
  AUTO,

  /**
   * Waits without a thread wherever the request supports it. Every filter is mapped to {@code
   * ASYNC}.
   */
  ASYNC,

  /** Waits on the request threads. Only a few of them wait at a time. */
  ON_THREAD
}
