package dev.weir.config;

import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import java.util.List;
import java.util.function.Supplier;

/** The rules that an annotation leads to, which a reload may replace. Thread-safe. */
public interface BoundRules extends Supplier<List<Rule>> {

  /**
   * Those that hold now; none that is disabled.
   *
   * @throws ConfigurationException when nobody has opened a configuration yet
   */
  @Override
  List<Rule> get();

  /**
   * Those of the configuration that decides this request, as {@link Weir#limiters} has it.
   *
   * @throws ConfigurationException when nobody has opened a configuration yet
   */
  List<Rule> of(RequestView request);
}
