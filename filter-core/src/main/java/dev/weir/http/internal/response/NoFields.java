package dev.weir.http.internal.response;

import dev.weir.Verdict;
import dev.weir.http.Outcome.Field;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The style without any fields. */
final class NoFields implements ClientFields {

  @Override
  public Optional<Field> policies(List<Verdict> verdicts) {
    return Optional.empty();
  }

  @Override
  public List<Field> fields(Optional<Field> policies, Verdict binding, OptionalLong seconds) {
    return List.of();
  }
}
