package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.FixedWindow;
import dev.weir.limit.Limit;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.EncodedLimit;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The window's Lua decides as the exact model does, on generated traces. */
class LuaWindowTraceTest extends OnEveryRedis {

  private static final int TRACES = 300;
  private static final int STEPS = 100;
  private static final long START = 1_795_000_000_000_000L;

  /** Limits in one line are the same limit before and after a change of its numbers. */
  private static final List<List<String>> LIMITS =
      List.of(
          List.of("10 per 10s window"),
          List.of("3 per second window", "5 per second window", "1 per second window"),
          List.of("1000 per day window", "500 per hour window", "7 per 30 days window"),
          List.of("9007199254740991 per 366 days window"),
          List.of("7 per 3us window"),
          List.of("100 per day window Europe/Berlin", "50 per day window Europe/Berlin"),
          List.of("100 per hour window Asia/Kolkata"),
          List.of("20 per month window America/New_York", "20 per week window America/New_York"),
          List.of("5 per minute window UTC", "5 per second window UTC"),
          List.of("5 per hour window Australia/Lord_Howe", "9 per 2 hours window"));

  @Test
  void no_window_admits_more_than_its_quota() {
    for (int seed = 0; seed < TRACES; seed++) {
      SplittableRandom random = new SplittableRandom(1_000 + seed);
      FixedWindow limit = (FixedWindow) Limit.parse(LIMITS.get(seed % LIMITS.size()).get(0));
      long length = TimeUnit.MICROSECONDS.convert(limit.window().longest());
      List<Step.Decide> steps = new ArrayList<>();
      long now = START;
      for (int i = 0; i < STEPS; i++) {
        now += random.nextLong(length / 2 + 1) - random.nextLong(length / 8 + 1);
        steps.add(new Step.Decide(now, true, limit, 1 + random.nextLong(limit.quota())));
      }
      assertQuota(limit, steps, LuaTrace.run(redis, steps));
    }
  }

  private static void assertQuota(
      FixedWindow limit, List<Step.Decide> steps, List<Step.Reply> replies) {
    long window = 0;
    long admitted = 0;
    for (int i = 0; i < steps.size(); i++) {
      Step.Reply reply = replies.get(i);
      admitted = reply.stamp() == window ? admitted : 0;
      window = reply.stamp();
      admitted += reply.fits() == 1 ? steps.get(i).permits() : 0;
      assertThat(admitted).as("%s in window to %d", limit, window).isBetween(0L, limit.quota());
    }
  }

  @Test
  void the_end_of_a_window_in_use_wins_over_what_another_node_computes() {
    Limit berlin = Limit.parse("5 per day window Europe/Berlin");
    Limit tokyo = Limit.parse("5 per day window Asia/Tokyo");
    List<Step.Reply> replies =
        LuaTrace.run(
            redis,
            List.of(
                new Step.Decide(START, true, berlin, 2), new Step.Decide(START, true, tokyo, 2)));
    assertThat(replies.get(1).remaining()).isEqualTo(1);
    assertThat(replies.get(1).stamp()).isEqualTo(replies.get(0).stamp());
  }

  @Test
  void a_time_outside_of_the_bounds_that_were_sent_charges_nothing() {
    Limit daily = Limit.parse("5 per day window UTC");
    long day = 86_400_000_000L;
    for (long off : new long[] {-30 * day, -2 * day - 1, 3 * day, 400 * day}) {
      EncodedLimit encoded =
          Commands.byServerTime(() -> Instant.EPOCH.plus(START, ChronoUnit.MICROS))
              .encode(daily, 0);
      List<String> arguments = new ArrayList<>(List.of("l", encoded.letter()));
      encoded.numbers().forEach(number -> arguments.add(Long.toString(number)));
      arguments.addAll(List.of("d", Long.toString(START + off), "1", "1", "0"));
      Object reply = redis.eval(LuaTrace.SCRIPT.text(), List.of(), arguments);
      assertThat((String) reply).startsWith("-2 ").endsWith(" =");
    }
  }

  @Test
  void a_state_that_nobody_here_has_written_counts_as_none() {
    Limit limit = Limit.parse("6 per 10s window");
    long later = START + 1;
    List<String> foreign =
        List.of(
            "garbage",
            "1",
            "1:2:3",
            "-1:" + later,
            "+1:" + later,
            " 1:" + later,
            "1:" + later + " ",
            "0x1:" + later,
            "1e0:" + later,
            "nan:" + later,
            "inf:inf",
            "1.0:" + later,
            "9007199254740992:" + later,
            "1:9007199254740992",
            "1:99999999999999999999999",
            ":",
            "\0");
    for (String state : foreign) {
      List<Step> steps =
          List.of(new Step.Overwrite(state), new Step.Decide(START, false, limit, 6));
      Step.Reply reply = LuaTrace.run(redis, steps).get(1);
      assertThat(reply.fits()).as(state).isEqualTo(1);
      assertThat(reply.state()).as(state).isEqualTo("6:" + (START + 10_000_000));
    }
  }
}
