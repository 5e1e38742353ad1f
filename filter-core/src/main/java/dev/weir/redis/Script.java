package dev.weir.redis;

import dev.weir.CalendarWindow;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.TokenBucket;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A Lua script: arithmetic and a driver, put together once. The resources say what each part does.
 *
 * @param name for messages
 * @param text what is sent when Redis does not know it yet
 * @param sha1 what it is called by, in lower-case hexadecimal
 */
record Script(String name, String text, String sha1) {

  /** One decision over one token bucket. */
  static final Script ONE_BUCKET = of("one", "prelude", "bucket", "clock", "one");

  /** One decision over one fixed window. */
  static final Script ONE_WINDOW = of("one", "prelude", "window", "clock", "one");

  /** One decision over several counters of one slot. */
  static final Script ALL = of("all", "prelude", "bucket", "window", "clock", "all");

  /** How counters stand, without charging. */
  static final Script LOOK = of("look", "prelude", "bucket", "window", "clock", "look");

  static final Script GIVE_BACK =
      of("give_back", "prelude", "bucket", "window", "clock", "give_back");

  static final Script HEARTBEAT = of("heartbeat", "prelude", "clock", "heartbeat");

  /** The script for one decision over one counter with this limit. */
  static Script one(Limit limit) {
    return limit instanceof TokenBucket ? ONE_BUCKET : ONE_WINDOW;
  }

  /** The letter under which the scripts know this limit's arithmetic. */
  static String letter(Limit limit) {
    if (limit instanceof FixedWindow fixed) {
      return fixed.window() instanceof CalendarWindow ? "c" : "f";
    }
    return "b";
  }

  static Script of(String name, String... resources) {
    StringBuilder text = new StringBuilder(8_192);
    for (String resource : resources) {
      text.append(withoutComments(read(resource + ".lua")));
    }
    return new Script(name, text.toString(), sha1(text.toString()));
  }

  private static String read(String resource) {
    try (InputStream in = Script.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + ": not on the class path (expected: beside us)");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Redis keeps a script's text as long as it runs: comments need not be kept with it. */
  private static String withoutComments(String lua) {
    return lua.replaceAll("(?m)^ *--.*\\R", "").replaceAll("(?m)^\\R", "");
  }

  private static String sha1(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-1");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }
}
