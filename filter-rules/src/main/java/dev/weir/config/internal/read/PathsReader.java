package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.RequestMatcher.MatchOptions;

/** Reads how paths are compared with patterns. */
final class PathsReader {

  private static final Key.Defaulted<Boolean> IGNORE_CASE =
      Key.ofParam("ignore-case", ValueType.Flag.TRUE_OR_FALSE, "true")
          .means("Whether `/Login` is `/login`. Set it where the application serves both.")
          .or(MatchOptions.DEFAULT.ignoreCase());

  private static final Key.Defaulted<Boolean> IGNORE_TRAILING_SLASH =
      Key.ofParam("ignore-trailing-slash", ValueType.Flag.TRUE_OR_FALSE, "false")
          .means("Whether `/login/` is `/login`.")
          .or(MatchOptions.DEFAULT.ignoreTrailingSlash());

  private static final KeyGroup KEYS =
      KeyGroup.of(
          "a map with ignore-case and ignore-trailing-slash", IGNORE_CASE, IGNORE_TRAILING_SLASH);

  static final Key<Section> PATHS =
      Key.of("paths", new ValueType.Mapping(KEYS), "{ ignore-case: true }")
          .means("How the paths of requests are compared with patterns.");

  private PathsReader() {}

  static MatchOptions read(Section top) {
    Section section = Key.section(PATHS, top);
    return new MatchOptions(
        IGNORE_CASE.orDefault(section), IGNORE_TRAILING_SLASH.orDefault(section));
  }
}
