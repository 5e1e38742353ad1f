package dev.weir.redis;

import dev.weir.internal.InvalidValueException;
import dev.weir.internal.store.Failures;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The last valid value of files that are read for each connection. A file may be missing or invalid
 * while it is replaced, and the value before may serve until then. A warning names each problem
 * once. Thread-safe.
 */
final class LastValid<T> implements Supplier<T> {

  private final Supplier<T> files;
  private final Consumer<String> warnings;
  private @Nullable T last;
  private @Nullable String problem;

  /**
   * @param files reads the value, or throws what names the problem: an {@link
   *     InvalidValueException} has no secret in its message
   */
  LastValid(Supplier<T> files, Consumer<String> warnings) {
    this.files = files;
    this.warnings = warnings;
  }

  /**
   * Reads the value.
   *
   * @throws RuntimeException when it cannot be read, and was never valid
   */
  @Override
  public synchronized T get() {
    try {
      T valid = files.get();
      last = valid;
      problem = null;
      return valid;
    } catch (RuntimeException invalid) {
      @Nullable T before = last;
      if (before == null) {
        throw invalid;
      }
      String why =
          invalid instanceof InvalidValueException
              ? String.valueOf(invalid.getMessage())
              : "files of Redis: " + Failures.brief(invalid);
      if (!why.equals(problem)) {
        problem = why;
        warnings.accept(why + ": new connections to Redis use what was read before");
      }
      return before;
    }
  }
}
