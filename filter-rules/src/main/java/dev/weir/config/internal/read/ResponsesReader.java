package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType.Choice;
import dev.weir.config.internal.key.ValueType.Flag;
import dev.weir.config.internal.key.ValueType.Mapping;
import dev.weir.http.ResponseStyle;
import dev.weir.http.ResponseStyle.Denied;
import dev.weir.http.ResponseStyle.Fields;
import dev.weir.http.ResponseStyle.Legacy;
import java.util.List;
import java.util.Optional;

/** Reads what responses tell clients. */
final class ResponsesReader {

  private static final String DRAFTS = "draft-11, draft-7, draft-6, off";
  private static final List<String> LATER_DRAFTS = List.of("draft-8", "draft-9", "draft-10");

  private static final Key.Defaulted<Denied> DENIED =
      Key.of(
              "denied",
              new Choice<>(Denied.class),
              "The body of a denial: a problem of RFC 9457, or the container's error page.",
              "error-page")
          .inParams()
          .or(ResponseStyle.DEFAULT.denied());

  private static final Key.Defaulted<Fields> FIELDS =
      Key.of(
              "fields",
              new Choice<>(Fields.class),
              "The draft whose fields tell clients their limits.",
              "draft-6")
          .inParams()
          .or(ResponseStyle.DEFAULT.fields());

  private static final Key.Defaulted<Boolean> LEGACY_HEADERS =
      Key.of(
              "legacy-headers",
              Flag.TRUE_OR_FALSE,
              "Whether responses have `X-RateLimit-Limit`, `-Remaining` and `-Reset` too.",
              "true")
          .inParams()
          .or(false);

  private static final KeyGroup KEYS =
      KeyGroup.of("a map with denied, fields and legacy-headers", DENIED, FIELDS, LEGACY_HEADERS);

  static final Key<Section> RESPONSES =
      Key.of(
          "responses",
          new Mapping(KEYS),
          "What responses tell clients.",
          "{ denied: error-page, fields: draft-6 }");

  private ResponsesReader() {}

  static ResponseStyle read(Section top) {
    Section section = KEYS.in(top, RESPONSES);
    return ResponseStyle.DEFAULT
        .withDenied(DENIED.orDefault(section))
        .withFields(fields(section))
        .withLegacy(LEGACY_HEADERS.orDefault(section) ? Legacy.X_RATELIMIT : Legacy.OFF);
  }

  /** Drafts 8 to 10 have the two fields of draft 11, and no setting of their own. */
  private static Fields fields(Section section) {
    Optional<Value> later =
        FIELDS.written(section).filter(it -> LATER_DRAFTS.stream().anyMatch(it::isText));
    if (later.isPresent()) {
      later.get().problem(later.get().found(), DRAFTS, Optional.of("draft-11"));
      return ResponseStyle.DEFAULT.fields();
    }
    return FIELDS.orDefault(section);
  }
}
