package dev.weir.bench;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What was opened for a measurement. All of it is closed, the last first, even if one fails. */
public final class Opened implements AutoCloseable {

  private final Deque<AutoCloseable> all = new ArrayDeque<>();

  /** Adds this, and returns it. */
  public <T extends AutoCloseable> T add(T one) {
    all.push(one);
    return one;
  }

  /** Closes all after this failure, which keeps those of closing. */
  public void closeAfter(Exception why) {
    try {
      close();
    } catch (IllegalStateException failed) {
      why.addSuppressed(failed);
    }
  }

  /**
   * @throws IllegalStateException when any does not close, with all such failures
   */
  @Override
  public void close() {
    List<Exception> failures = new ArrayList<>();
    while (!all.isEmpty()) {
      try {
        all.pop().close();
      } catch (Exception failed) {
        failures.add(failed);
      }
    }
    if (!failures.isEmpty()) {
      IllegalStateException failed = new IllegalStateException("not closed: " + failures);
      failures.forEach(failed::addSuppressed);
      throw failed;
    }
  }
}
