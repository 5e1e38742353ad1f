package dev.weir.bench.peer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import redis.clients.jedis.RedisClient;

/** A script of this package, loaded into a Redis. */
final class LuaScript {

  private LuaScript() {}

  /** Returns its SHA, for {@code EVALSHA}. */
  static byte[] load(String name, RedisClient redis) {
    return redis.scriptLoad(text(name)).getBytes(StandardCharsets.US_ASCII);
  }

  private static String text(String name) {
    try (InputStream file = LuaScript.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException(name + " is not on the class path");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
