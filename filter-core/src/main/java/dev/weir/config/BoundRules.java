package dev.weir.config;

import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rules that an annotation leads to. A reload may replace them. Thread-safe. */
public final class BoundRules implements Supplier<List<Rule>> {

  private final RuleReference reference;
  private final Supplier<ConfigurationException> missing;
  private volatile @Nullable WeirRuntime runtime;

  /**
   * @param missing makes the exception while no configuration has been opened
   */
  BoundRules(RuleReference reference, Supplier<ConfigurationException> missing) {
    this.reference = reference;
    this.missing = missing;
  }

  RuleReference reference() {
    return reference;
  }

  /** Follows a runtime in which the reference is bound. */
  void follow(WeirRuntime running) {
    runtime = running;
  }

  /**
   * Returns the rules of the current configuration, without disabled ones.
   *
   * @throws ConfigurationException when no configuration has been opened yet
   */
  @Override
  public List<Rule> get() {
    return runtime().bound(reference);
  }

  /**
   * Returns the rules of the configuration that decides this request, as {@link Weir#limiters}
   * defines it.
   *
   * @throws ConfigurationException when no configuration has been opened yet
   */
  public List<Rule> of(RequestView request) {
    return runtime().bound(reference, request);
  }

  private WeirRuntime runtime() {
    WeirRuntime running = runtime;
    if (running == null) {
      throw missing.get();
    }
    return running;
  }
}
