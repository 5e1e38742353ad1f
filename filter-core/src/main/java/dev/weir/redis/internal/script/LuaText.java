package dev.weir.redis.internal.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The resources that scripts consist of. */
final class LuaText {

  /** A line that is replaced by the text of another resource. */
  private static final Pattern INCLUDE = Pattern.compile("(?m)^ *--include (\\w+)\\R");

  private LuaText() {}

  /**
   * Returns the resources one after the other, without comments. Redis keeps a script's text as
   * long as it runs.
   */
  static String of(String... resources) {
    return Stream.of(resources).map(LuaText::withoutComments).collect(Collectors.joining());
  }

  private static String withoutComments(String resource) {
    return INCLUDE
        .matcher(read(resource + ".lua"))
        .replaceAll(line -> Matcher.quoteReplacement(withoutComments(line.group(1))))
        .replaceAll("(?m)^ *--.*\\R", "")
        .replaceAll("(?m)^\\R", "");
  }

  private static String read(String resource) {
    try (InputStream in = LuaText.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(
            resource + ": not on the class path (expected: in the same jar)");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
