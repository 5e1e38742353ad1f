package dev.weir.config.internal.document;

import dev.weir.internal.Redaction;
import java.util.Map;
import java.util.Optional;

/**
 * The init-params of one filter.
 *
 * @param owner the filter's name, which is also the default name of the rule
 */
public record InitParams(String owner, Map<String, String> params) implements ConfigDocument {

  public InitParams {
    params = Map.copyOf(params);
  }

  @Override
  public String name() {
    return "filter " + Redaction.quoted(owner);
  }

  public Optional<String> value(String param) {
    return Optional.ofNullable(params.get(param));
  }

  /** Returns the name without the values, since a param may be a secret. */
  @Override
  public String toString() {
    return name();
  }
}
