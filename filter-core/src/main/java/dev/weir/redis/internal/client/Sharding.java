package dev.weir.redis.internal.client;

import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;

/**
 * The knowledge which keys one call may have. A proxy may send each call to one of several servers,
 * by the first key of the call. Then a counter that is another key of a call is counted on the
 * wrong server too, and each server grants the whole limit.
 *
 * <p>Each new connection tries pairs of random keys. A call with the first key writes the second
 * one, and a call with the second key reads it. If it is missing, the two keys are on two servers.
 * With two equal servers, one pair finds that half of the time, and all pairs nearly always. The
 * keys expire within seconds. A chain of calls costs least: each reads its first key, which the one
 * before has written, and writes the first key of the next one. Only if a key is missing, a {@link
 * Trial} finds out what is apart. A key may also be missing because Redis has lost it: it evicts,
 * or somebody deletes. Then nothing is apart.
 *
 * <p>Thread-safe.
 */
public final class Sharding {

  /** The keys that one call may have. The later ones are the stricter ones. */
  public enum Scope {
    ALL_KEYS,
    ONE_TAG,
    ONE_KEY
  }

  private static final int PAIRS = 32;
  private static final int LIFE_MILLIS = 10_000;

  private static final String LINK =
      "local here=redis.call('GET',KEYS[1]) redis.call('SET',KEYS[2],'1','PX',ARGV[1])"
          + " return here and 1 or 0";
  private static final String WRITE =
      "for i=2,3 do redis.call('SET',KEYS[i],'1','PX',ARGV[1]) end return 1";
  private static final String READ_FIRST = "return redis.call('GET',KEYS[1]) and 1 or 0";
  private static final String READ_SECOND = "return redis.call('GET',KEYS[2]) and 1 or 0";

  private final Optional<RedisKeys> keys;
  private final Reports reports;
  private volatile Scope scope = Scope.ALL_KEYS;

  /**
   * @param keys empty in a cluster, which says itself where a key is
   */
  public Sharding(Optional<RedisKeys> keys, Reports reports) {
    this.keys = keys;
    this.reports = reports;
  }

  /** Returns an object that tries nothing, for calls of one key each. */
  public static Sharding ofSingleKeys(Reports reports) {
    Sharding known = new Sharding(Optional.empty(), reports);
    known.scope = Scope.ONE_KEY;
    return known;
  }

  /** Returns the keys that one call may have. */
  public Scope scope() {
    return scope;
  }

  /** Returns whether this call may have its keys. Those of other calls than these never change. */
  boolean allows(ScriptCall call) {
    if (scope == Scope.ALL_KEYS || call.parts().size() < 2) {
      return true;
    }
    return scope == Scope.ONE_TAG
        && call.keys().stream().map(RedisKeys::tag).distinct().count() == 1;
  }

  /** Returns the commands of a chain; none when the strictest scope is known. */
  List<CommandArguments> chain() {
    if (keys.isEmpty() || scope == Scope.ONE_KEY) {
      return List.of();
    }
    List<CommandArguments> chain = new ArrayList<>(PAIRS + 1);
    String first = keys.get().reserved(random());
    for (int i = 0; i <= PAIRS; i++) {
      String next = keys.get().reserved(random());
      chain.add(call(LINK, first, List.of(next)).add(LIFE_MILLIS));
      first = next;
    }
    return chain;
  }

  /** Returns whether a key was missing that was written. A call that was refused shows nothing. */
  static boolean isBroken(List<? extends @Nullable Object> replies) {
    for (int i = 1; i < replies.size(); i++) {
      if (replies.get(i - 1) instanceof Long && isMissing(replies.get(i))) {
        return true;
      }
    }
    return false;
  }

  /** Returns what finds out which keys are apart, after a broken chain. */
  Trial trial() {
    return Trial.of(keys.orElseThrow());
  }

  /** Records what a trial has found. */
  void found(Scope found, Host host) {
    synchronized (this) {
      if (found.compareTo(scope) <= 0) {
        return;
      }
      scope = found;
    }
    reports.sharded(host.toString(), found == Scope.ONE_TAG ? "one subject" : "one key");
  }

  private static CommandArguments call(String script, String first, List<String> others) {
    CommandArguments call =
        new CommandArguments(Command.EVAL).add(script).add(1 + others.size()).key(first);
    others.forEach(call::key);
    return call;
  }

  /** Returns a text that no other one is like: some proxies send similar keys to one server. */
  private static String random() {
    return Long.toHexString(ThreadLocalRandom.current().nextLong());
  }

  private static boolean isMissing(@Nullable Object reply) {
    return Long.valueOf(0).equals(reply);
  }

  /**
   * The commands of a trial. A call with a first key writes two others. Each of them is then read
   * by itself, and after that by the same first key. If it is missing at first and present then, it
   * is apart. A key that is lost is missing both times, so it shows nothing. Nor does a call that
   * was refused.
   *
   * <p>Each step is sent after the replies to the one before: a proxy may send the calls of one key
   * by two connections.
   *
   * @param writes by each first key, to a key with the same tag and to one with another tag
   * @param alone reads of these keys, each by itself
   * @param byFirst reads of the same keys, by the first key
   */
  record Trial(
      List<CommandArguments> writes, List<CommandArguments> alone, List<CommandArguments> byFirst) {

    private static Trial of(RedisKeys keys) {
      List<CommandArguments> writes = new ArrayList<>(PAIRS);
      List<CommandArguments> alone = new ArrayList<>(2 * PAIRS);
      List<CommandArguments> byFirst = new ArrayList<>(2 * PAIRS);
      for (int i = 0; i < PAIRS; i++) {
        String first = keys.reserved(random());
        List<String> written = List.of(first + random(), keys.reserved(random()));
        writes.add(call(WRITE, first, written).add(LIFE_MILLIS));
        for (String key : written) {
          alone.add(call(READ_FIRST, key, List.of()));
          byFirst.add(call(READ_SECOND, first, List.of(key)));
        }
      }
      return new Trial(writes, alone, byFirst);
    }

    /** Returns what the replies to both series of reads show. */
    static Scope scope(
        List<? extends @Nullable Object> alone, List<? extends @Nullable Object> byFirst) {
      Scope found = Scope.ALL_KEYS;
      for (int i = 0; i < alone.size(); i++) {
        boolean isApart = isMissing(alone.get(i)) && Long.valueOf(1).equals(byFirst.get(i));
        boolean hasSameTag = i % 2 == 0;
        if (isApart && hasSameTag) {
          return Scope.ONE_KEY;
        }
        found = isApart ? Scope.ONE_TAG : found;
      }
      return found;
    }
  }
}
