package dev.weir.config;

import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import java.util.List;
import java.util.function.Supplier;

/** The rules that an annotation leads to. A reload may replace them. Thread-safe. */
public interface BoundRules extends Supplier<List<Rule>> {

  /**
   * Returns the rules of the current configuration, without disabled ones.
   *
   * @throws ConfigurationException when no configuration has been opened yet
   */
  @Override
  List<Rule> get();

  /**
   * Returns the rules of the configuration that decides this request, as {@link Weir#limiters}
   * defines it.
   *
   * @throws ConfigurationException when no configuration has been opened yet
   */
  List<Rule> of(RequestView request);
}
