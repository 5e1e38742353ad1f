package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType.Flag;
import dev.weir.config.internal.key.ValueType.Mapping;
import dev.weir.http.RequestMatcher.MatchOptions;

/** Reads how paths are compared with patterns. */
final class PathsReader {

  private static final Key.Defaulted<Boolean> IGNORE_CASE =
      Key.of(
              "ignore-case",
              Flag.TRUE_OR_FALSE,
              "Whether `/Login` is `/login`. Set it where the application serves both.",
              "true")
          .inParams()
          .or(MatchOptions.DEFAULT.ignoreCase());

  private static final Key.Defaulted<Boolean> IGNORE_TRAILING_SLASH =
      Key.of("ignore-trailing-slash", Flag.TRUE_OR_FALSE, "Whether `/login/` is `/login`.", "false")
          .inParams()
          .or(MatchOptions.DEFAULT.ignoreTrailingSlash());

  private static final KeyGroup KEYS =
      KeyGroup.of(
          "a map with ignore-case and ignore-trailing-slash", IGNORE_CASE, IGNORE_TRAILING_SLASH);

  static final Key<Section> PATHS =
      Key.of(
          "paths",
          new Mapping(KEYS),
          "How the paths of requests are compared with patterns.",
          "{ ignore-case: true }");

  private PathsReader() {}

  static MatchOptions read(Section top) {
    Section section = KEYS.in(top, PATHS);
    return new MatchOptions(
        IGNORE_CASE.orDefault(section), IGNORE_TRAILING_SLASH.orDefault(section));
  }
}
