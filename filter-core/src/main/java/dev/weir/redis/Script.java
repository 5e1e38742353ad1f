package dev.weir.redis;

import dev.weir.CalendarWindow;
import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.TokenBucket;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A Lua script: arithmetic and a driver, put together once. The resources say what each part does.
 *
 * @param name for messages
 * @param text what is sent when Redis does not know it yet
 * @param sha1 what it is called by, in lower-case hexadecimal
 * @param reply what it replies
 */
record Script(String name, String text, String sha1, Reply reply) {

  /** One decision over one counter. */
  static final Script ONE_BUCKET = one("bucket", "leases", "leased_bucket");

  static final Script ONE_WINDOW = one("window");
  static final Script ONE_SLIDING = one("sliding");
  static final Script ONE_CONCURRENCY = one("concurrency");

  /** One decision over one counter, for as many permits as there are. */
  static final Script UP_TO = ofAllLimits("up_to", Reply.PARTIAL);

  /** One decision over one counter, for a request that can wait. */
  static final Script WITHIN = ofAllLimits("within", Reply.DECISION);

  /** One decision over several counters of one slot. */
  static final Script ALL = ofAllLimits("all", Reply.DECISION);

  /** Many decisions of one slot. */
  static final Script BATCH = ofAllLimits("batch", Reply.BATCH);

  /** How counters stand, without charging. */
  static final Script LOOK = ofAllLimits("look", Reply.DECISION);

  static final Script GIVE_BACK = ofAllLimits("give_back", Reply.COUNT);

  static final Script SETTLE = ofAllLimits("settle", Reply.SETTLED);

  /** Begins leases anew: of the one limit that has any. */
  static final Script RENEW =
      of("renew", Reply.COUNT, "prelude", "concurrency", "blocks", "clock", "renew");

  static final Script REWARD = ofAllLimits("reward", Reply.COUNT);

  static final Script BLOCK = of("block", Reply.COUNT, "prelude", "blocks", "clock", "block");

  static final Script RESET =
      of("reset", Reply.COUNT, "prelude", "leases", "blocks", "clock", "reset");

  /** Settles a lease of one counter, and lends anew. */
  static final Script LEASE = ofAllLimits("lease", Reply.LEASE);

  static final Script HEARTBEAT = of("heartbeat", Reply.COUNT, "prelude", "clock", "heartbeat");

  /** The script for one decision over one counter with this limit. */
  static Script one(Limit limit) {
    if (limit instanceof TokenBucket || limit instanceof LeakyBucket) {
      return ONE_BUCKET;
    }
    if (limit instanceof Concurrency) {
      return ONE_CONCURRENCY;
    }
    return limit instanceof FixedWindow ? ONE_WINDOW : ONE_SLIDING;
  }

  /** The letter under which the scripts know this limit's arithmetic. */
  static String letter(Limit limit) {
    if (limit instanceof FixedWindow fixed) {
      return fixed.window() instanceof CalendarWindow ? "c" : "f";
    }
    if (limit instanceof LeakyBucket) {
      return "l";
    }
    if (limit instanceof Concurrency) {
      return "h";
    }
    return limit instanceof TokenBucket ? "b" : "s";
  }

  /** Whether it makes one decision, over any number of counters, for which nobody waits. */
  boolean isDecision() {
    return name.equals("one") || name.equals("all");
  }

  /**
   * Whether several requests at once are more than one for as many permits, by the limit's letter:
   * of a leaky bucket each has an instant of its own, and of what is held each a name.
   */
  static boolean isOneByOne(String letter) {
    return letter.equals("l") || letter.equals("h");
  }

  private static Script one(String... limit) {
    List<String> resources = new ArrayList<>(List.of("prelude"));
    resources.addAll(List.of(limit));
    resources.addAll(List.of("blocks", "clock", "one"));
    return of("one", Reply.DECISION, resources.toArray(String[]::new));
  }

  /** A driver behind the arithmetic of every limit. */
  static Script ofAllLimits(String driver, Reply reply) {
    return of(
        driver,
        reply,
        "prelude",
        "bucket",
        "leases",
        "leased_bucket",
        "window",
        "leased_window",
        "sliding",
        "concurrency",
        "blocks",
        "clock",
        driver);
  }

  static Script of(String name, Reply reply, String... resources) {
    StringBuilder text = new StringBuilder(8_192);
    for (String resource : resources) {
      text.append(withoutComments(read(resource + ".lua")));
    }
    return new Script(name, text.toString(), sha1(text.toString()), reply);
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
