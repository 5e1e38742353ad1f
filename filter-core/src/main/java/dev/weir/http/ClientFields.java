package dev.weir.http;

import dev.weir.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** How clients are told what they may still ask. Thread-safe. */
sealed interface ClientFields permits IetfDraft11, IetfDraft7, IetfDraft6, NoFields {

  static ClientFields of(ResponseStyle.Fields custom) {
    return switch (custom) {
      case DRAFT_11 -> new IetfDraft11();
      case DRAFT_7 -> new IetfDraft7();
      case DRAFT_6 -> new IetfDraft6();
      case OFF -> new NoFields();
    };
  }

  /** The field of all limits that were decided; they are told again and again. */
  Optional<Field> policies(List<Verdict> verdicts);

  /**
   * All fields.
   *
   * @param policies as {@link #policies} has made it
   * @param seconds after which what the binding limit says changes, where waiting helps
   */
  List<Field> fields(Optional<Field> policies, Verdict binding, OptionalLong seconds);
}
