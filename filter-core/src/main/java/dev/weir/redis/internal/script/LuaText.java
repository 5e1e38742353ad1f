package dev.weir.redis.internal.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The resources that scripts are put together of. */
final class LuaText {

  private LuaText() {}

  /** One after the other, without comments: Redis keeps a script's text as long as it runs. */
  static String of(String... resources) {
    return Stream.of(resources).map(LuaText::withoutComments).collect(Collectors.joining());
  }

  private static String withoutComments(String resource) {
    return read(resource + ".lua").replaceAll("(?m)^ *--.*\\R", "").replaceAll("(?m)^\\R", "");
  }

  private static String read(String resource) {
    try (InputStream in = LuaText.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + ": not on the class path (expected: beside us)");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
