package dev.weir.redis;

import dev.weir.CalendarWindow;
import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.TokenBucket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
  static final Script ONE_BUCKET = one(Arithmetic.BUCKET);

  static final Script ONE_WINDOW = one(Arithmetic.WINDOW);
  static final Script ONE_SLIDING = one(Arithmetic.SLIDING);
  static final Script ONE_CONCURRENCY = one(Arithmetic.CONCURRENCY);

  /** One decision over one counter, for as many permits as there are. */
  static final Script UP_TO = ofOneKey(deciding("up_to", Reply.PARTIAL));

  /** One decision over one counter, for a request that can wait. */
  static final Script WITHIN = ofOneKey(deciding("within", Reply.DECISION));

  /** One decision over several counters of one slot. */
  static final Script ALL = deciding("all", Reply.DECISION);

  /** Many decisions of one slot. */
  static final Script BATCH = deciding("batch", Reply.BATCH);

  /** How counters stand, without charging. */
  static final Script LOOK = deciding("look", Reply.DECISION);

  static final Script GIVE_BACK = changing("give_back", Reply.COUNT);

  static final Script SETTLE = changing("settle", Reply.SETTLED);

  /** Begins leases of what is held anew. */
  static final Script RENEW = changing("renew", Reply.COUNT);

  static final Script REWARD = ofOneKey(changing("reward", Reply.COUNT));

  /** Settles a lease of one counter, and lends anew. */
  static final Script LEASE = ofOneKey(changing("lease", Reply.LEASE));

  static final Script BLOCK = ofOneKey(changing("block", Reply.COUNT));

  static final Script RESET =
      ofOneKey(of("reset", Reply.COUNT, LuaText.of("keys", "blocks", "leases", "clock", "reset")));

  static final Script HEARTBEAT = of("heartbeat", Reply.NODES, LuaText.of("clock", "heartbeat"));

  static final Script LEAVE = of("leave", Reply.COUNT, LuaText.of("leave"));

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

  /** How many numbers the scripts know a limit of this letter by. */
  static int numbers(String letter) {
    return switch (letter) {
      case "b", "l" -> 4;
      case "f" -> 2;
      case "c" -> 6;
      default -> 3;
    };
  }

  /** Which calls of it are sent first. */
  CallQueue.Rank rank() {
    return switch (name) {
      case "renew", "heartbeat", "leave" -> CallQueue.Rank.URGENT;
      case "give_back" -> CallQueue.Rank.BACKGROUND;
      default -> CallQueue.Rank.USUAL;
    };
  }

  /** Whether it charges what is asked for, and the charge can be refunded. */
  boolean isCharging() {
    return isDecision() || name.equals("up_to") || name.equals("within");
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

  private static Script one(Arithmetic limit) {
    return ofOneKey(decisions("one", Reply.DECISION, limit.deciding()));
  }

  /** A driver of decisions, behind the arithmetic of every limit. */
  private static Script deciding(String driver, Reply reply) {
    return decisions(driver, reply, all(Arithmetic::deciding));
  }

  /** A driver of changes too, behind the arithmetic of every limit. */
  static Script changing(String driver, Reply reply) {
    String limits = LuaText.of("leases") + all(Arithmetic::changing);
    return of(
        driver,
        reply,
        LuaText.of("keys", "blocks") + limits + LuaText.of("block_changes", "clock", driver));
  }

  /**
   * A driver of decisions, behind the arithmetic of some limits.
   *
   * @param limits the text of their arithmetic
   */
  static Script decisions(String driver, Reply reply, String limits) {
    return of(driver, reply, LuaText.of("keys", "blocks") + limits + LuaText.of("clock", driver));
  }

  /** The same script, for proxies that let no key pass that is computed. */
  private static Script ofOneKey(Script script) {
    return named(script.name(), script.reply(), script.text().replace("KEYS[k]", "KEYS[1]"));
  }

  private static String all(Function<Arithmetic, String> text) {
    return Stream.of(Arithmetic.values()).map(text).collect(Collectors.joining());
  }

  private static Script of(String name, Reply reply, String text) {
    return named(name, reply, LuaText.of("prelude") + text);
  }

  private static Script named(String name, Reply reply, String text) {
    return new Script(name, text, sha1(text), reply);
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
