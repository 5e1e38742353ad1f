package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.weir.fixture.Full;
import dev.weir.fixture.SideBySide;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The traces of a build find a planted defect in the Lua files: each of these, alone, and most of
 * them off by one.
 */
@Full
@SideBySide
class LuaMutantsTest {

  private static final int TRACES = 10_000;
  private static final String ENDED =
      "debt, last, n = bucket_behind(debt, at, last, n, p, q, tick, burst * q), 0, 0";
  private static final String PLAIN =
      "remaining, changed = (left - fmod(left, q)) / q, format(WHOLES, wanted, now, q)";
  private static final String RESET = "reset = (debt - rest) / p";
  private static final String DENIED = "retry = (-left - part) / p";
  private static final String GRANTED =
      "return 1, remaining, 0, reset, now, lifetime(reset), changed";
  private static final String SHIFTED = "last, at = last - (at - ticks) * tick, ticks";
  private static final String MOST = "letter == 'l' and full or";

  private static final RedisServer SERVER = RedisServer.start(RedisVersion.newest());

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  static Stream<Arguments> mutants() {
    List<Arguments> all = new ArrayList<>();
    ofPlainBuckets(all);
    ofBuckets(all);
    ofWindows(all);
    ofBlocks(all);
    all.addAll(listed("sliding-mutants.txt", AllTraces.SLIDING_WINDOW));
    all.addAll(listed("concurrency-mutants.txt", AllTraces.CONCURRENCY));
    all.addAll(listed("lending-mutants.txt", AllTraces.LENDING_BUCKET));
    return all.stream();
  }

  private static void ofPlainBuckets(List<Arguments> all) {
    Traces<?> token = AllTraces.TOKEN_BUCKET;
    all.add(arguments(AllTraces.LENDING_BUCKET, "if owed and from + 0 == q then", "if owed then"));
    all.add(arguments(token, "(%d+):(%d+):(%d+)$", "(%d+):(%d+):(%d+)"));
    all.add(arguments(token, "owed < EXACT and at <= now then", "owed < EXACT then"));
    all.add(arguments(token, "0 or owed - elapsed * p", "0 or owed - (elapsed + 1) * p"));
    all.add(arguments(token, "0 or owed - elapsed * p", "0 or owed - elapsed"));
    all.add(arguments(token, "elapsed > EXACT / p and", "elapsed > 1 and"));
    all.add(arguments(token, "if debt < 0 then", "if debt < -1 then"));
    all.add(arguments(token, "if left >= 0 then", "if left >= -1 then"));
    all.add(arguments(token, "if debt and permits > 0 and", "if debt and permits > -1 and"));
    all.add(arguments(token, "if rest > 0 then\n      reset", "if rest > 1 then\n      reset"));
    all.add(arguments(token, "argv[i + 3] + 0 == 1 then", "true then"));
    all.add(arguments(token, PLAIN, PLAIN.replace("wanted, now", "debt, now")));
    all.add(arguments(token, PLAIN, PLAIN.replace("wanted, now", "wanted, now + 1")));
    all.add(arguments(token, PLAIN, PLAIN.replace("(left - ", "(left - 1 - ")));
    all.add(arguments(token, RESET, RESET + " + 1"));
    all.add(arguments(token, DENIED, DENIED.replace("-left - part", "-left + p - part")));
    all.add(arguments(token, DENIED, DENIED.replace("-left - part", "-left - part - p")));
    all.add(arguments(token, "if part > 0 then", "if part > 1 then"));
    all.add(arguments(token, "if debt < full then", "if debt < full - q then"));
    all.add(arguments(token, "(full - debt - fmod(", "(q + full - debt - fmod("));
    all.add(arguments(token, "retry, reset, 0, 0, nil", "retry, reset, now, 0, nil"));
    all.add(arguments(token, GRANTED, GRANTED.replace("now", "now + 1")));
    all.add(arguments(token, GRANTED, GRANTED.replace("(reset)", "(reset - 1000)")));
  }

  private static void ofBuckets(List<Arguments> all) {
    Traces<?> token = AllTraces.TOKEN_BUCKET;
    Traces<?> leaky = AllTraces.LEAKY_BUCKET;
    all.add(arguments(token, "debt > left + (ticks - 1) * p then", "debt > left + ticks * p then"));
    all.add(
        arguments(leaky, "debt > left + (ticks - 1) * p then", "debt >= left + ticks * p then"));
    all.add(arguments(token, "debt > left + (ticks - 1) * p then", "debt > left then"));
    all.add(arguments(token, "math.min(left + ticks * p,", "math.min(left + (ticks - 1) * p,"));
    all.add(arguments(leaky, "math.min(left + ticks * p,", "math.min(left + ticks * p - 1,"));
    all.add(arguments(leaky, "math.min(left + ticks * p,", "math.min(left + (ticks + 1) * p,"));
    all.add(arguments(token, ENDED, "last, n = 0, 0"));
    all.add(arguments(token, SHIFTED, "last, at = last, ticks"));
    all.add(arguments(token, SHIFTED, "last, at = last - (at - ticks - 1) * tick, ticks"));
    all.add(arguments(token, SHIFTED, "last, at = last - (at - ticks + 1) * tick, ticks"));
    all.add(arguments(leaky, "last, n = stamp, permits", "last, n = stamp, 1"));
    all.add(arguments(token, "last, n = stamp, permits", "last, n = stamp - 1, permits"));
    all.add(arguments(token, "last, n = stamp, permits", "last, n = stamp + 1, permits"));
    all.add(arguments(leaky, "if held or before < 0", "if before < 0"));
    all.add(arguments(token, "if held or before < 0", "if before < 0"));
    all.add(arguments(leaky, "before - bucket_left(full, q)", "before"));
    all.add(arguments(token, "tick, now), 1\n", "tick, now), 2\n"));
    all.add(arguments(token, "elapsed >= ceil_div(debt, p)", "elapsed + 1 >= ceil_div(debt, p)"));
    all.add(arguments(token, "return debt - elapsed * p,", "return debt - elapsed * p - 1,"));
    all.add(arguments(token, "return wanted - full", "return wanted - full - 1"));
    all.add(arguments(token, "return wanted - full", "return wanted - full + 1"));
    all.add(arguments(leaky, "'l' then\n    return debt\n", "'l' then\n    return debt - 1\n"));
    all.add(arguments(leaky, "letter == 'l' and bucket_cancel or ", ""));
    all.add(arguments(leaky, MOST, MOST.replace("full", "full + 1")));
    all.add(arguments(leaky, MOST, MOST.replace("full", "full - 1")));
    all.add(arguments(token, "if permits > burst then", "if permits > burst + 1 then"));
    all.add(arguments(token, "if permits > burst then", "if permits >= burst then"));
    all.add(arguments(token, "+ (at * tick - now)", "+ (at * tick - now) - 1"));
    all.add(arguments(token, "+ (at * tick - now)", "+ (at * tick - now) + 1"));
    all.add(arguments(token, "micros(ceil_div(units, p)", "micros(floor_div(units, p)"));
    all.add(arguments(token, "floor_div(full - owed, q)", "ceil_div(full - owed, q)"));
    all.add(arguments(leaky, "floor_div(full - owed, q)", "floor_div(full - owed, q) + 1"));
    all.add(arguments(token, "delay > patience then", "delay >= patience and delay > 0 then"));
    all.add(arguments(leaky, "delay > patience then", "delay > patience + 1 then"));
    all.add(arguments(leaky, "math.max(over, delay - patience)", "math.max(over, delay)"));
    all.add(arguments(token, "debt = math.max(0, debt - units)", "debt = debt - units"));
    all.add(arguments(token, "permits * q, granted * q - elapsed * p", "permits * q, granted * q"));
    all.add(
        arguments(
            token,
            "elapsed >= ceil_div(granted * q, p)",
            "elapsed + 1 >= ceil_div(granted * q, p)"));
    all.add(arguments(token, "or stamp ~= runs then", "then"));
    all.add(arguments(token, "if last > 0 or stamp > now then", "if stamp > now then"));
    all.add(
        arguments(token, "last ~= 0 and last <= now then", "last ~= 0 and last <= now + 1 then"));
    all.add(arguments(token, "at - ticks > ceil_div(", "at - ticks >= ceil_div("));
    all.add(arguments(token, "at - ticks > ceil_div(", "at - ticks > 1 + ceil_div("));
    all.add(
        arguments(
            token, "permits * tonumber(argv[i + 2])", "(permits + 1) * tonumber(argv[i + 2])"));
    all.add(arguments(token, "math.min(permits, room) * q", "math.min(permits - 1, room) * q"));
    all.add(arguments(token, "math.ceil(time / 1000) + 1000", "math.ceil(time / 1000) + 999"));
    all.add(arguments(token, "math.ceil(time / 1000) + 1000", "math.floor(time / 1000) + 1000"));
    all.add(arguments(leaky, "    return whole + 1\n", "    return whole\n"));
  }

  private static void ofWindows(List<Arguments> all) {
    Traces<?> first = AllTraces.FIXED_WINDOW;
    Traces<?> aligned = AllTraces.ALIGNED_WINDOW;
    all.add(arguments(first, "ends and ends > now then", "ends and ends >= now then"));
    all.add(arguments(first, "ends and ends > now then", "ends and ends > now + 1 then"));
    all.add(arguments(first, "used + permits > quota then", "used + permits >= quota then"));
    all.add(arguments(aligned, "used + permits > quota then", "used + permits > quota + 1 then"));
    all.add(arguments(first, "retry = ends - now", "retry = ends - now - 1"));
    all.add(arguments(first, "retry = ends - now", "retry = ends - now + 1"));
    all.add(arguments(aligned, "reset = ends - now", "reset = ends - now - 1"));
    all.add(arguments(first, "quota - used), 0", "quota - used + 1), 0"));
    all.add(arguments(first, "ends > now + 2 * longest", "ends >= now + 2 * longest"));
    all.add(arguments(aligned, "ends > now + 2 * longest", "ends > now + 3 * longest"));
    all.add(arguments(first, "if ends ~= stamp then", "if not ends then"));
    all.add(arguments(first, "math.max(0, used - permits)", "used - permits"));
    all.add(arguments(first, "math.max(0, used - permits)", "math.max(0, used - permits - 1)"));
    all.add(
        arguments(
            first, "return now + tonumber(argv[i + 2])", "return now + tonumber(argv[i + 2]) - 1"));
    all.add(
        arguments(
            first, "return now + tonumber(argv[i + 2])", "return now + tonumber(argv[i + 2]) + 1"));
    all.add(arguments(aligned, "if now < ends then", "if now <= ends then"));
    all.add(arguments(aligned, "for bound = 4, 6 do", "for bound = 6, 6 do"));
    all.add(arguments(first, "EXACT - 1, used + permits)", "EXACT - 1, used + permits - 1)"));
  }

  private static void ofBlocks(List<Arguments> all) {
    Traces<?> any = AllTraces.FIXED_WINDOW;
    all.add(arguments(any, "  if ends <= now then\n", "  if ends < now then\n"));
    all.add(arguments(any, "  if ends <= now then\n", "  if ends <= now + 1 then\n"));
    all.add(arguments(any, "ends > now + 2 * length", "ends > now + 3 * length"));
    all.add(arguments(any, "math.max(retry, ends - now)", "math.max(retry, ends - now - 1)"));
    all.add(arguments(any, "math.max(reset, ends - now)", "math.max(reset, ends - now + 1)"));
    all.add(arguments(any, "  ttl = math.max(ttl, lifetime(ends - now))\n", ""));
    all.add(arguments(any, "return fits, 0, retry, reset", "return fits, remaining, retry, reset"));
    all.add(arguments(any, "    fits = 0\n  end\n  if fits == 0", "  end\n  if fits == 0"));
    all.add(arguments(any, "retry, reset, now - ends, block", "retry, reset, stamp, block"));
    all.add(
        arguments(any, "retry, reset, now - ends, block", "retry, reset, 1 + now - ends, block"));
    all.add(arguments(any, "return lifetime(reset), state", "return lifetime(reset) + 1, state"));
    all.add(arguments(any, "= changed or block_same(state)", "= block_same(state)"));
    all.add(arguments(any, "= changed or block_same(state)", "= changed or ''"));
    all.add(arguments(any, "ends and ends - now or 0", "0"));
    all.add(arguments(AllTraces.TOKEN_BUCKET, "at and at - now or 0", "0"));
    all.add(
        arguments(AllTraces.CONCURRENCY, "= changed or block_same(state)", "= block_same(state)"));
    all.add(
        arguments(
            any, "return state, now + length, length, true", "return state, ends, length, true"));
  }

  private static List<Arguments> listed(String resource, Traces<?> traces) {
    return MutantList.read(resource).stream()
        .map(mutant -> arguments(traces, mutant.original(), mutant.planted()))
        .toList();
  }

  @ParameterizedTest(name = "{0}: {1} -> {2}")
  @MethodSource("mutants")
  void a_planted_defect_is_found(Traces<?> traces, String original, String planted) {
    String script = LuaTrace.SCRIPT.text();
    assertThat(script.split(Pattern.quote(original), -1))
        .as("the text to change is found once: %s", original)
        .hasSize(2);
    try (TraceServer traced = new TraceServer(SERVER, script.replace(original, planted))) {
      assertThat(finds(traces, traced)).isTrue();
    }
  }

  private static boolean finds(Traces<?> traces, TraceServer traced) {
    for (int seed = 0; seed < TRACES; seed++) {
      Trace trace = traces.generate(seed);
      try {
        traces.check(trace, traced.run(trace.turns()));
      } catch (AssertionError | JedisDataException | NumberFormatException found) {
        return true;
      } catch (JedisConnectionException runsForEver) {
        SERVER.kill();
        SERVER.restart();
        return true;
      }
    }
    return false;
  }
}
