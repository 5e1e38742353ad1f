package dev.weir.http.internal.response;

import dev.weir.Verdict;
import dev.weir.http.Outcome.Field;
import dev.weir.http.ResponseStyle;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The response fields that report to clients what they may still request. Thread-safe. */
public sealed interface ClientFields permits IetfDraft11, IetfDraft7, IetfDraft6, NoFields {

  static ClientFields of(ResponseStyle.Fields custom) {
    return switch (custom) {
      case DRAFT_11 -> new IetfDraft11();
      case DRAFT_7 -> new IetfDraft7();
      case DRAFT_6 -> new IetfDraft6();
      case OFF -> new NoFields();
    };
  }

  /**
   * Returns the field for all limits that were decided. Its content repeats from response to
   * response.
   */
  Optional<Field> policies(List<Verdict> verdicts);

  /**
   * Returns all fields.
   *
   * @param policies the result of {@link #policies}
   * @param seconds the time after which the state of the binding limit changes, where waiting helps
   */
  List<Field> fields(Optional<Field> policies, Verdict binding, OptionalLong seconds);
}
