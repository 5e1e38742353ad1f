package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Mistakes;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Forms;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.OnDenial.Ban;
import dev.weir.http.Rule;
import java.util.Optional;

/** Reads the ban of a rule. */
final class BanReader {

  static final Key<Value> BAN =
      Key.ofParam(
              "ban",
              new ValueType.Form(
                  Ban.FORM,
                  Forms.LENGTH + "\\s+after\\s+[0-9_]+\\s+denials?\\s+in\\s+" + Forms.LENGTH),
              "15m after 20 denials in 1m")
          .means(
              "For how long a subject is refused on all nodes, after so many denials in such a time."
                  + " The server knows the subject: it has `ip`, the user or what the application has"
                  + " set in it, or is a key that the rule's tiers know.")
          .otherwise("none is banned");

  private BanReader() {}

  static Optional<Ban> read(Section rule) {
    return BAN.in(rule).flatMap(it -> it.parsed(Ban.FORM, Ban::parse, Mistakes.BAN::meant));
  }

  /** Returns the rule with its ban. Reports a ban that the rule cannot have. */
  static Optional<Rule> banning(Rule made, Optional<Ban> ban, Section rule) {
    Optional<Value> written = BAN.in(rule);
    if (ban.isEmpty() || written.isEmpty()) {
      return Optional.of(made);
    }
    return written
        .get()
        .check(() -> made.toBuilder().onDenial(made.onDenial().banning(ban.get())).build());
  }
}
