package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType.Choice;
import dev.weir.config.internal.key.ValueType.Flag;
import dev.weir.config.internal.key.ValueType.Mapping;
import dev.weir.http.ResponseStyle;
import dev.weir.http.ResponseStyle.Denied;
import dev.weir.http.ResponseStyle.Fields;
import dev.weir.http.ResponseStyle.Legacy;

/** Reads what responses tell clients. */
final class ResponsesReader {

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
        .withFields(FIELDS.orDefault(section))
        .withLegacy(LEGACY_HEADERS.orDefault(section) ? Legacy.X_RATELIMIT : Legacy.OFF);
  }
}
