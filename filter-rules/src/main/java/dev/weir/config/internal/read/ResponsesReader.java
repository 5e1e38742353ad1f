package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.ResponseStyle;
import dev.weir.http.ResponseStyle.Fields;
import dev.weir.http.ResponseStyle.Legacy;

/** Reads what responses tell clients. */
final class ResponsesReader {

  private static final Key<Value> DENIED =
      Key.ofParam("denied", DeniedReader.TYPE, "error-page")
          .means(
              "What a denied client receives: a problem of RFC 9457, the container's error page, or"
                  + " what a map says. A param is a word.")
          .otherwise("`problem`");

  private static final Key.Defaulted<Fields> FIELDS =
      Key.ofParam("fields", new ValueType.Choice<>(Fields.class), "draft-6")
          .means("The draft whose fields state the limits.")
          .or(ResponseStyle.DEFAULT.fields());

  private static final Key.Defaulted<Boolean> LEGACY_HEADERS =
      Key.ofParam("legacy-headers", ValueType.Flag.TRUE_OR_FALSE, "true")
          .means("Whether responses have `X-RateLimit-Limit`, `-Remaining` and `-Reset` too.")
          .or(false);

  /** What {@code X-RateLimit-Reset} counts. */
  private enum LegacyReset {
    SECONDS,
    EPOCH
  }

  private static final Key.Defaulted<LegacyReset> LEGACY_RESET =
      Key.ofParam("legacy-reset", new ValueType.Choice<>(LegacyReset.class), "epoch")
          .means(
              "Whether `X-RateLimit-Reset` is in seconds from now, or since 1970 by the node's"
                  + " clock.")
          .or(LegacyReset.SECONDS);

  private static final KeyGroup KEYS =
      KeyGroup.of(
          "a map with denied, fields, legacy-headers and legacy-reset",
          DENIED,
          FIELDS,
          LEGACY_HEADERS,
          LEGACY_RESET);

  static final Key<Section> RESPONSES =
      Key.of("responses", new ValueType.Mapping(KEYS), "{ denied: error-page, fields: draft-6 }")
          .means("What responses say about limits.");

  private ResponsesReader() {}

  static ResponseStyle read(Section top) {
    Section section = Key.section(RESPONSES, top);
    boolean hasLegacy = LEGACY_HEADERS.orDefault(section);
    if (!hasLegacy) {
      LEGACY_RESET
          .written(section)
          .ifPresent(value -> value.refuse("'legacy-headers: true' too, which sends that field"));
    }
    Legacy legacy =
        LEGACY_RESET.orDefault(section) == LegacyReset.EPOCH
            ? Legacy.X_RATELIMIT_EPOCH
            : Legacy.X_RATELIMIT;
    return ResponseStyle.DEFAULT
        .withDenied(
            DENIED
                .in(section)
                .map(value -> DeniedReader.read(value, ResponseStyle.DEFAULT.denied()))
                .orElse(ResponseStyle.DEFAULT.denied()))
        .withFields(FIELDS.orDefault(section))
        .withLegacy(hasLegacy ? legacy : Legacy.OFF);
  }
}
