package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.internal.script.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.SetParams;

/**
 * What {@code decide.lua} decides before the functions of a limit exist is what the limit in full
 * decides, and stores, for whatever a key holds.
 */
class PlainDecisionsTest extends OnEveryRedis {

  private static final int CASES = 20_000;
  private static final int TOGETHER = 100;
  private static final String KEY = "{plain}key";
  private static final long NOW = 1_795_000_000_000_000L;
  private static final long EXACT = 1L << 53;

  /** A second more or less in a time to live would be a defect. This allows for the machine. */
  private static final long CLOSE_MILLIS = 500;

  /** Longer than any limit here needs its state. A time near to that would pass meanwhile. */
  private static final long LONG_MILLIS = 4_000_000_000L;

  /** The call, and what the key holds before it, for how long; 0 is for ever. */
  private record Case(String state, long ttlMillis, List<String> arguments) {}

  /** What became of it. */
  private record Found(Response<Object> reply, Response<String> state, Response<Long> pttl) {

    Object replied() {
      try {
        return reply.get();
      } catch (JedisDataException e) {
        return String.valueOf(e.getMessage()).replaceAll("f_\\w+|user_script:\\d+", "");
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"b", "l", "f", "c", "s"})
  void the_short_way_ends_where_the_long_one_does(String letter) {
    for (boolean stepsBack : List.of(false, true)) {
      String usual = script(stepsBack);
      String inFull =
          usual.replace(
              "local kind = ARGV[2]\n",
              "local kind = ''\nif ARGV[2] == 'b' then ARGV[2] = 'B' end\n");
      assertThat(inFull).isNotEqualTo(usual);
      int granted = compare(letter, redis.scriptLoad(usual), redis.scriptLoad(inFull));
      assertThat(granted).as("granted").isBetween(CASES / 20, CASES - CASES / 20);
    }
  }

  /** Returns the script, which believes a given time as it does the server's, or not. */
  private static String script(boolean stepsBack) {
    return Script.DECIDE_ONE
        .text()
        .replace("tonumber(ARGV[1]), false", "tonumber(ARGV[1]), " + stepsBack);
  }

  private int compare(String letter, String usual, String inFull) {
    SplittableRandom random = new SplittableRandom(letter.charAt(0));
    int granted = 0;
    for (int i = 0; i < CASES; i += TOGETHER) {
      List<Case> cases = new ArrayList<>();
      List<Found> founds = new ArrayList<>();
      try (Pipeline pipeline = redis.pipelined()) {
        for (int j = 0; j < TOGETHER; j++) {
          Case one = any(letter, random);
          cases.add(one);
          founds.add(run(pipeline, one, usual));
          founds.add(run(pipeline, one, inFull));
        }
      }
      for (int j = 0; j < TOGETHER; j++) {
        Found plain = founds.get(2 * j);
        Found full = founds.get(2 * j + 1);
        Case one = cases.get(j);
        assertThat(plain.replied()).as("%s", one).isEqualTo(full.replied());
        assertThat(plain.state().get()).as("%s", one).isEqualTo(full.state().get());
        assertThat(plain.pttl().get() - full.pttl().get())
            .as("%s", one)
            .isBetween(-CLOSE_MILLIS, CLOSE_MILLIS);
        granted += plain.replied() instanceof List<?> reply && reply.get(0).equals(1L) ? 1 : 0;
      }
    }
    return granted;
  }

  private static Found run(Pipeline pipeline, Case one, String sha1) {
    pipeline.del(KEY);
    if (!one.state().isEmpty()) {
      SetParams forSoLong = new SetParams();
      pipeline.set(
          KEY, one.state(), one.ttlMillis() > 0 ? forSoLong.px(one.ttlMillis()) : forSoLong);
    }
    return new Found(
        pipeline.evalsha(sha1, List.of(KEY), one.arguments()),
        pipeline.get(KEY),
        pipeline.pttl(KEY));
  }

  // ---------------------------------------------------------------- cases

  private static Case any(String letter, SplittableRandom random) {
    List<Long> numbers = numbers(letter, random);
    long capacity = letter.equals("b") || letter.equals("l") ? numbers.get(3) : numbers.get(0);
    List<String> arguments = new ArrayList<>(List.of(Long.toString(NOW), letter));
    long permits = of(random, 0, 1, 1, 1, 2, capacity - 1, capacity, capacity, capacity + 1);
    arguments.add(Long.toString(Math.max(0, permits)));
    numbers.forEach(number -> arguments.add(Long.toString(number)));
    return new Case(anyState(letter, numbers, random), of(random, 0, LONG_MILLIS), arguments);
  }

  private static List<Long> numbers(String letter, SplittableRandom random) {
    return switch (letter) {
      case "b", "l" -> {
        long burst = of(random, 1, 2, 6, 1_000);
        yield List.of(
            of(random, 1, 1, 3, 7),
            of(random, 1, 6, 1_000_000, 12_000_000),
            of(random, 1, 1, 1, 1, 10),
            burst);
      }
      case "f" -> List.of(of(random, 1, 2, 5, 1_000_000_000), length(random));
      case "c" -> {
        long length = length(random);
        long start = NOW - random.nextLong(length) - of(random, 0, 0, 0, length, -2 * length);
        yield List.of(
            of(random, 1, 2, 5, 1_000_000_000),
            length,
            start - length,
            start,
            start + length,
            start + 2 * length);
      }
      default ->
          List.of(of(random, 1, 2, 5, 40), of(random, 1, 1_000, 120_000), of(random, 1, 2, 10, 60));
    };
  }

  private static long length(SplittableRandom random) {
    return of(random, 1_000_000, 60_000_000, 86_400_000_000L);
  }

  private static String anyState(String letter, List<Long> numbers, SplittableRandom random) {
    String own = ownState(letter, numbers, random);
    return switch (random.nextInt(12)) {
      case 0, 1 -> "";
      case 2 -> "!" + (NOW + offset(random)) + ":60000000;" + own;
      case 3 -> foreign(own, random);
      default -> own;
    };
  }

  private static String foreign(String own, SplittableRandom random) {
    List<String> all =
        List.of("x", "1:2:3:4", ":", "nan:1", "1:2", own + ":", own + "\n", "-" + own);
    return all.get(random.nextInt(all.size()));
  }

  private static String ownState(String letter, List<Long> numbers, SplittableRandom random) {
    return switch (letter) {
      case "b", "l" -> bucket(numbers, random);
      case "f", "c" -> window(numbers, random);
      default -> sliding(numbers, random);
    };
  }

  private static String bucket(List<Long> numbers, SplittableRandom random) {
    long q = numbers.get(1);
    long full = q * numbers.get(3);
    long debt = of(random, 0, 1, q, full - q, full - 1, full, full + 1, EXACT - 1, EXACT);
    debt = random.nextInt(3) == 0 ? debt : random.nextLong(2 * full);
    long at = NOW + of(random, 0, 0, offset(random), -random.nextLong(2 * full));
    String state = debt + ":" + at + ":" + of(random, q, q, q, q, 2 * q);
    return random.nextInt(8) == 0 ? state + ":" + (NOW + offset(random)) + ":1" : state;
  }

  private static String window(List<Long> numbers, SplittableRandom random) {
    long quota = numbers.get(0);
    long length = numbers.get(1);
    long used = of(random, 0, 1, quota - 1, quota, quota + 1, EXACT - 1, EXACT);
    long ends =
        NOW
            + of(
                random,
                offset(random),
                random.nextLong(length),
                length,
                2 * length,
                2 * length + 1,
                EXACT - NOW);
    return used + ":" + ends;
  }

  private static String sliding(List<Long> numbers, SplittableRandom random) {
    long width = numbers.get(1);
    int size = 1 + random.nextInt(numbers.get(2).intValue() + 3);
    long last = NOW / width - of(random, 0, 0, 0, 1, numbers.get(2), -1);
    StringJoiner counts = new StringJoiner(":");
    long sum = 0;
    for (int i = 0; i < size; i++) {
      long count = of(random, 0, 0, 1, 2);
      counts.add(Long.toString(count));
      sum += count;
    }
    sum += of(random, 0, 0, 0, 0, 0, 0, 0, 1);
    long first = last - size + 1;
    return of(random, width, width, width, width, 2 * width)
        + ":"
        + first
        + ":"
        + (size - 1)
        + ":"
        + sum
        + ":"
        + counts;
  }

  private static long offset(SplittableRandom random) {
    return of(random, 0, 1, -1, 1_000, -1_000, 60_000_000, -60_000_000, 10_000_000_000L);
  }

  private static long of(SplittableRandom random, long... values) {
    return values[random.nextInt(values.length)];
  }
}
