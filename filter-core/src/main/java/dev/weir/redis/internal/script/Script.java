package dev.weir.redis.internal.script;

import dev.weir.limit.CalendarWindow;
import dev.weir.limit.Concurrency;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import dev.weir.limit.TokenBucket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Lua script: arithmetic and a driver, assembled once. The resources describe each part.
 *
 * @param declaresKeys whether its keys are declared; otherwise they follow its arguments
 * @param name for messages
 * @param text the full script, sent when Redis does not know it yet
 * @param sha1 the digest that calls use, in lower-case hexadecimal
 * @param reply the form of its reply
 */
public record Script(
    String name, String text, String sha1, Reply reply, Purpose purpose, boolean declaresKeys) {

  /** The purpose of its calls. */
  public enum Purpose {
    /** One decision that waits for nothing, over any number of counters. A batch carries many. */
    DECIDE,
    /** Another charge, which can be refunded too. */
    CHARGE,
    /** Returns permits, and yields to all others. */
    REFUND,
    /** Keeps permits or this node alive, and overtakes all others. */
    KEEP_ALIVE,
    OTHER
  }

  /** One decision over one counter. */
  public static final Script ONE_BUCKET = one(Arithmetic.BUCKET);

  public static final Script ONE_WINDOW = one(Arithmetic.WINDOW);
  public static final Script ONE_SLIDING = one(Arithmetic.SLIDING);
  public static final Script ONE_CONCURRENCY = one(Arithmetic.CONCURRENCY);

  /** One decision over one counter, for as many permits as there are. */
  public static final Script UP_TO = ofOneKey(deciding("up_to", Reply.PARTIAL)).to(Purpose.CHARGE);

  /** One decision over one counter, for a request that can wait. */
  public static final Script WITHIN =
      ofOneKey(deciding("within", Reply.DECISION)).to(Purpose.CHARGE);

  /** One decision over several counters of one slot. */
  public static final Script ALL = deciding("all", Reply.DECISION).to(Purpose.DECIDE);

  /** Many decisions of one slot. */
  public static final Script BATCH = batch("batch", "keys_of_slot");

  /** Many decisions of any slots of one primary, if the primary allows that. */
  public static final Script ACROSS = batch("across", "keys_across").withKeysUndeclared();

  /** The state of counters, without a charge. */
  public static final Script PEEK = deciding("peek", Reply.DECISION);

  public static final Script REFUND = changing("refund", Reply.COUNT).to(Purpose.REFUND);

  public static final Script RECONCILE = changing("reconcile", Reply.SETTLED);

  /** Starts the time to live of held permits again. */
  public static final Script RENEW = changing("renew", Reply.COUNT).to(Purpose.KEEP_ALIVE);

  public static final Script REWARD = ofOneKey(changing("reward", Reply.COUNT));

  /** Takes back the permits that a node has leased of one counter, and makes a new lease. */
  public static final Script LEASE = ofOneKey(changing("lease", Reply.LEASE));

  public static final Script BLOCK = ofOneKey(changing("block", Reply.COUNT));

  public static final Script RESET =
      ofOneKey(
          of("reset", Reply.COUNT, LuaText.of("prelude", "keys", "blocks", "leases", "reset")));

  public static final Script HEARTBEAT =
      of("heartbeat", Reply.NODES, LuaText.of("prelude", "heartbeat")).to(Purpose.KEEP_ALIVE);

  public static final Script LEAVE =
      of("leave", Reply.COUNT, LuaText.of("prelude", "leave")).to(Purpose.KEEP_ALIVE);

  /** Returns the script for one decision over one counter with this limit. */
  public static Script one(Limit limit) {
    if (limit instanceof TokenBucket || limit instanceof LeakyBucket) {
      return ONE_BUCKET;
    }
    if (limit instanceof Concurrency) {
      return ONE_CONCURRENCY;
    }
    if (limit instanceof FixedWindow) {
      return ONE_WINDOW;
    }
    if (limit instanceof SlidingWindow) {
      return ONE_SLIDING;
    }
    throw unknown(limit);
  }

  /** Returns the letter of this limit's arithmetic in the scripts. */
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
    if (limit instanceof TokenBucket) {
      return "b";
    }
    if (limit instanceof SlidingWindow) {
      return "s";
    }
    throw unknown(limit);
  }

  private static AssertionError unknown(Limit limit) {
    return new AssertionError("no script knows this kind of limit: " + limit);
  }

  /** Returns the number of numbers that describe a limit of this letter. */
  public static int numbers(String letter) {
    return switch (letter) {
      case "b", "l" -> 4;
      case "f" -> 2;
      case "c" -> 6;
      case "s", "h" -> 3;
      default -> throw new AssertionError("no kind of limit has this letter: " + letter);
    };
  }

  private Script to(Purpose newPurpose) {
    return new Script(name, text, sha1, reply, newPurpose, declaresKeys);
  }

  private Script withKeysUndeclared() {
    return new Script(name, text, sha1, reply, purpose, false);
  }

  /** Returns whether a grant of it can be refunded. */
  boolean isCharging() {
    return purpose == Purpose.DECIDE || purpose == Purpose.CHARGE;
  }

  /**
   * Returns whether requests of this kind of limit, by its letter, must be decided one by one. One
   * decision for all of their permits is impossible: each request to a leaky bucket has a time of
   * its own, and each held permit an id.
   */
  static boolean isOneByOne(String letter) {
    return letter.equals("l") || letter.equals("h");
  }

  private static Script one(Arithmetic limit) {
    Script one =
        limit == Arithmetic.BUCKET
            ? decisions("one", Reply.DECISION, limit.deciding(), "one", "plain_one")
            : decisions("one", Reply.DECISION, limit.deciding());
    return ofOneKey(one).to(Purpose.DECIDE);
  }

  /** Returns a script with a driver of decisions, after the arithmetic of every limit. */
  private static Script deciding(String driver, Reply reply) {
    return decisions(driver, reply, all(Arithmetic::deciding));
  }

  /** Returns a script with a driver of changes too, after the arithmetic of every limit. */
  public static Script changing(String driver, Reply reply) {
    String limits = LuaText.of("leases") + all(Arithmetic::changing);
    return of(
        driver,
        reply,
        LuaText.of("prelude", "keys", "blocks") + limits + LuaText.of("block_changes", driver));
  }

  /**
   * Returns a script with a driver of decisions, after the arithmetic of some limits.
   *
   * @param limits the text of their arithmetic
   */
  public static Script decisions(String driver, Reply reply, String limits) {
    return of(driver, reply, LuaText.of("prelude", "keys", "blocks") + limits + LuaText.of(driver));
  }

  /**
   * Returns the same, after a driver of plain buckets. The rest is made only when the plain driver
   * is not enough.
   */
  private static Script decisions(
      String name, Reply reply, String limits, String driver, String... plainDriver) {
    String rest = LuaText.of("prelude", "keys", "blocks") + limits + LuaText.of(driver);
    return of(name, reply, LuaText.of(plainDriver) + rest);
  }

  /**
   * @param keys the resource that defines how keys are passed and read
   */
  private static Script batch(String name, String keys) {
    return decisions(name, Reply.BATCH, all(Arithmetic::deciding), "batch", keys, "plain_batch");
  }

  /** Returns the same script for proxies that forbid computed keys. */
  private static Script ofOneKey(Script script) {
    return named(script.name(), script.reply(), script.text().replace("KEYS[k]", "KEYS[1]"));
  }

  private static String all(Function<Arithmetic, String> text) {
    return Stream.of(Arithmetic.values()).map(text).collect(Collectors.joining());
  }

  private static Script of(String name, Reply reply, String text) {
    return named(name, reply, LuaText.of("numbers", "clock") + text);
  }

  private static Script named(String name, Reply reply, String text) {
    return new Script(name, text, sha1(text), reply, Purpose.OTHER, true);
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
