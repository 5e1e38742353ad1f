package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.ResponseStyle;
import dev.weir.http.ResponseStyle.Denied;
import dev.weir.http.ResponseStyle.Fields;
import dev.weir.http.ResponseStyle.Legacy;

/** Reads what responses tell clients. */
final class ResponsesReader {

  private static final Key.Defaulted<Denied> DENIED =
      Key.ofParam("denied", new ValueType.Choice<>(Denied.class), "error-page")
          .means("The body of a denial: a problem of RFC 9457, or the container's error page.")
          .or(ResponseStyle.DEFAULT.denied());

  private static final Key.Defaulted<Fields> FIELDS =
      Key.ofParam("fields", new ValueType.Choice<>(Fields.class), "draft-6")
          .means("The draft whose fields tell clients their limits.")
          .or(ResponseStyle.DEFAULT.fields());

  private static final Key.Defaulted<Boolean> LEGACY_HEADERS =
      Key.ofParam("legacy-headers", ValueType.Flag.TRUE_OR_FALSE, "true")
          .means("Whether responses have `X-RateLimit-Limit`, `-Remaining` and `-Reset` too.")
          .or(false);

  private static final KeyGroup KEYS =
      KeyGroup.of("a map with denied, fields and legacy-headers", DENIED, FIELDS, LEGACY_HEADERS);

  static final Key<Section> RESPONSES =
      Key.of("responses", new ValueType.Mapping(KEYS), "{ denied: error-page, fields: draft-6 }")
          .means("What responses tell clients.");

  private ResponsesReader() {}

  static ResponseStyle read(Section top) {
    Section section = Key.section(RESPONSES, top);
    return ResponseStyle.DEFAULT
        .withDenied(DENIED.orDefault(section))
        .withFields(FIELDS.orDefault(section))
        .withLegacy(LEGACY_HEADERS.orDefault(section) ? Legacy.X_RATELIMIT : Legacy.OFF);
  }
}
