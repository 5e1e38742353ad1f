package dev.weir.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The resources that scripts are put together of. */
final class LuaText {

  private LuaText() {}

  /** Without comments: Redis keeps a script's text as long as it runs. */
  static String of(String resource) {
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
