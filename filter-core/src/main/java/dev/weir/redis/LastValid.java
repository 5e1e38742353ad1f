package dev.weir.redis;

import dev.weir.internal.InvalidValueException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The last valid value of files that are read for each connection. A file may be missing or
 * half-written while it is replaced, and the value before may serve until then. A warning names
 * each problem once. Thread-safe.
 */
final class LastValid<T> implements Supplier<T> {

  private final Supplier<T> files;
  private final Consumer<String> warnings;
  private @Nullable T last;
  private @Nullable String problem;

  /**
   * @param files reads the value, or throws an {@link InvalidValueException}
   */
  LastValid(Supplier<T> files, Consumer<String> warnings) {
    this.files = files;
    this.warnings = warnings;
  }

  /**
   * Reads the value.
   *
   * @throws InvalidValueException when it is invalid, and was never valid
   */
  @Override
  public synchronized T get() {
    try {
      T valid = files.get();
      last = valid;
      problem = null;
      return valid;
    } catch (InvalidValueException invalid) {
      @Nullable T before = last;
      if (before == null) {
        throw invalid;
      }
      String why = String.valueOf(invalid.getMessage());
      if (!why.equals(problem)) {
        problem = why;
        warnings.accept(why + ": new connections to Redis use what was read before");
      }
      return before;
    }
  }
}
