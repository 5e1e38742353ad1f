package dev.weir.redis.internal.client;

import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
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
 * keys expire within seconds.
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

  private static final String WRITE =
      "for i=2,3 do redis.call('SET',KEYS[i],'1','PX',ARGV[1]) end return 1";
  private static final String READ = "return redis.call('GET',KEYS[1]) and 1 or 0";

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

  /** Returns the commands of a trial; none when the strictest scope is known. */
  Trial trial() {
    return keys.isEmpty() || scope == Scope.ONE_KEY ? Trial.NONE : Trial.of(keys.get());
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

  /**
   * The commands of a trial: for each pair a write, and two reads.
   *
   * @param writes by the first key, to a key with the same tag and to one with another tag
   * @param reads of these two keys
   */
  record Trial(List<CommandArguments> writes, List<CommandArguments> reads) {

    static final Trial NONE = new Trial(List.of(), List.of());

    private static Trial of(RedisKeys keys) {
      List<CommandArguments> writes = new ArrayList<>(PAIRS);
      List<CommandArguments> reads = new ArrayList<>(2 * PAIRS);
      for (int i = 0; i < PAIRS; i++) {
        String first = keys.reserved(random());
        List<String> written = List.of(first + random(), keys.reserved(random()));
        writes.add(call(WRITE, first, written).add(LIFE_MILLIS));
        written.forEach(key -> reads.add(call(READ, key, List.of())));
      }
      return new Trial(writes, reads);
    }

    /** Returns a text that no other one is like: some proxies send similar keys to one server. */
    private static String random() {
      return Long.toHexString(ThreadLocalRandom.current().nextLong());
    }

    private static CommandArguments call(String script, String first, List<String> others) {
      CommandArguments call =
          new CommandArguments(Command.EVAL).add(script).add(1 + others.size()).key(first);
      others.forEach(call::key);
      return call;
    }

    List<CommandArguments> commands() {
      return Stream.of(writes, reads).flatMap(List::stream).toList();
    }

    /**
     * Returns what the replies to {@link #commands} show. A write that was refused shows nothing.
     */
    Scope scope(List<? extends @Nullable Object> replies) {
      Scope found = Scope.ALL_KEYS;
      for (int i = 0; i < writes.size(); i++) {
        if (Long.valueOf(1).equals(replies.get(i))) {
          int reply = writes.size() + 2 * i;
          if (isMissing(replies.get(reply))) {
            return Scope.ONE_KEY;
          }
          found = isMissing(replies.get(reply + 1)) ? Scope.ONE_TAG : found;
        }
      }
      return found;
    }

    private static boolean isMissing(@Nullable Object reply) {
      return Long.valueOf(0).equals(reply);
    }
  }
}
