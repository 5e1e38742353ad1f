package dev.weir.redis.internal.script;

import dev.weir.CalendarWindow;
import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.SlidingWindow;
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
 * @param declaresKeys whether its keys are declared; else they stand behind its arguments
 * @param name for messages
 * @param text what is sent when Redis does not know it yet
 * @param sha1 what it is called by, in lower-case hexadecimal
 * @param reply what it replies
 */
public record Script(
    String name, String text, String sha1, Reply reply, Purpose purpose, boolean declaresKeys) {

  /** What its calls are for. */
  public enum Purpose {
    /** One decision that waits for nothing, over any number of counters: batches carry many. */
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

  /** Many decisions of any slots that one primary has, where it allows that. */
  public static final Script ACROSS = batch("across", "keys_across").withKeysUndeclared();

  /** How counters stand, without charging. */
  public static final Script PEEK = deciding("peek", Reply.DECISION);

  public static final Script REFUND = changing("refund", Reply.COUNT).to(Purpose.REFUND);

  public static final Script RECONCILE = changing("reconcile", Reply.SETTLED);

  /** Held permits expire a whole lease later from now on. */
  public static final Script RENEW = changing("renew", Reply.COUNT).to(Purpose.KEEP_ALIVE);

  public static final Script REWARD = ofOneKey(changing("reward", Reply.COUNT));

  /** Takes back what a node has borrowed of one counter, and lends again. */
  public static final Script LEASE = ofOneKey(changing("lease", Reply.LEASE));

  public static final Script BLOCK = ofOneKey(changing("block", Reply.COUNT));

  public static final Script RESET =
      ofOneKey(
          of("reset", Reply.COUNT, LuaText.of("prelude", "keys", "blocks", "leases", "reset")));

  public static final Script HEARTBEAT =
      of("heartbeat", Reply.NODES, LuaText.of("prelude", "heartbeat")).to(Purpose.KEEP_ALIVE);

  public static final Script LEAVE =
      of("leave", Reply.COUNT, LuaText.of("prelude", "leave")).to(Purpose.KEEP_ALIVE);

  /** The script for one decision over one counter with this limit. */
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

  /** How many numbers the scripts know a limit of this letter by. */
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

  /** Whether a grant of it can be refunded. */
  boolean isCharging() {
    return purpose == Purpose.DECIDE || purpose == Purpose.CHARGE;
  }

  /**
   * Whether requests of this kind of limit, by its letter, cannot be decided as one for all of
   * their permits: each request to a leaky bucket has a time of its own, and each that is held an
   * id.
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

  /** A driver of decisions, behind the arithmetic of every limit. */
  private static Script deciding(String driver, Reply reply) {
    return decisions(driver, reply, all(Arithmetic::deciding));
  }

  /** A driver of changes too, behind the arithmetic of every limit. */
  public static Script changing(String driver, Reply reply) {
    String limits = LuaText.of("leases") + all(Arithmetic::changing);
    return of(
        driver,
        reply,
        LuaText.of("prelude", "keys", "blocks") + limits + LuaText.of("block_changes", driver));
  }

  /**
   * A driver of decisions, behind the arithmetic of some limits.
   *
   * @param limits the text of their arithmetic
   */
  public static Script decisions(String driver, Reply reply, String limits) {
    return of(driver, reply, LuaText.of("prelude", "keys", "blocks") + limits + LuaText.of(driver));
  }

  /** The same, behind a driver of plain buckets: what follows is made where that is not enough. */
  private static Script decisions(
      String name, Reply reply, String limits, String driver, String... plainDriver) {
    String rest = LuaText.of("prelude", "keys", "blocks") + limits + LuaText.of(driver);
    return of(name, reply, LuaText.of(plainDriver) + rest);
  }

  /**
   * @param keys says how they are given and read
   */
  private static Script batch(String name, String keys) {
    return decisions(name, Reply.BATCH, all(Arithmetic::deciding), "batch", keys, "plain_batch");
  }

  /** The same script, for proxies that let no key pass that is computed. */
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
