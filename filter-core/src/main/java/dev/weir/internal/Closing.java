package dev.weir.internal;

import java.util.List;

/**
 * Closes the parts of a whole, one after the other. A part that fails does not keep the next one
 * open, whatever it throws. That may be a {@code LinkageError}: a container may delete the jars of
 * an application before it stops it.
 */
public final class Closing {

  private Closing() {}

  /**
   * Closes all parts in this order.
   *
   * @throws RuntimeException or an Error, the first that a part threw. Those of further parts are
   *     suppressed in it
   */
  public static void all(List<? extends AutoCloseable> parts) {
    Throwable first = null;
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      } catch (Exception | Error failure) {
        if (first == null) {
          first = failure;
        } else if (failure != first) {
          first.addSuppressed(failure);
        }
      }
    }
    if (first instanceof Error error) {
      throw error;
    }
    if (first != null) {
      throw first instanceof RuntimeException failure ? failure : new IllegalStateException(first);
    }
  }
}
