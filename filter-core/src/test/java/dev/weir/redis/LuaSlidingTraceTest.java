package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The sliding window's Lua decides as the exact model does, on generated traces. */
class LuaSlidingTraceTest extends OnEveryRedis {

  private static final int TRACES = 600;
  private static final int STEPS = 100;
  private static final long START = 1_795_000_000_000_000L;

  /** Limits in one line are the same limit before and after a change of its numbers. */
  private static final List<List<String>> LIMITS =
      List.of(
          List.of("10 per 10s sliding"),
          List.of("3 per second sliding", "5 per second sliding", "1 per second sliding"),
          List.of("100 per minute sliding, sub-windows 6", "30 per minute sliding, sub-windows 9"),
          List.of("1000 per day sliding, sub-windows 24", "50 per hour sliding, sub-windows 60"),
          List.of("9007199254740991 per 366 days sliding, sub-windows 1"),
          List.of("7 per 3us sliding", "7 per 4us sliding, sub-windows 1"),
          List.of("20 per second sliding, sub-windows 7", "20 per 2s sliding, sub-windows 3"));

  @Test
  void no_window_wherever_it_begins_admits_more_than_the_quota_and_what_is_rewarded_within_it() {
    for (int seed = 0; seed < TRACES; seed++) {
      SplittableRandom random = new SplittableRandom(1_000 + seed);
      SlidingWindow limit = limits(seed).get(0);
      long width = TimeUnit.MICROSECONDS.convert(limit.subWindow());
      List<Step> steps = new ArrayList<>();
      long now = START + random.nextLong(width);
      for (int i = 0; i < STEPS; i++) {
        now += random.nextLong(width);
        long permits = 1 + random.nextLong(1 + limit.quota() / 3);
        boolean rewards = seed % 2 == 0 && random.nextInt(5) == 0;
        steps.add(
            rewards
                ? new Step.Reward(now, random.nextBoolean(), limit, permits)
                : new Step.Decide(now, random.nextBoolean(), limit, permits));
      }
      assertEveryWindow(limit, steps, LuaTrace.run(redis, steps));
    }
  }

  private static void assertEveryWindow(
      SlidingWindow limit, List<Step> steps, List<Step.Reply> replies) {
    long length = TimeUnit.MICROSECONDS.convert(limit.length());
    for (int from = 0; from < steps.size(); from++) {
      BigInteger admitted = BigInteger.ZERO;
      BigInteger most = BigInteger.valueOf(limit.quota());
      for (int i = from;
          i < steps.size() && timeOf(steps.get(i)) - timeOf(steps.get(from)) < length;
          i++) {
        if (steps.get(i) instanceof Step.Reward reward) {
          most = most.add(BigInteger.valueOf(reward.permits()));
        } else if (steps.get(i) instanceof Step.Decide decide && replies.get(i).fits() == 1) {
          admitted = admitted.add(BigInteger.valueOf(decide.permits()));
        }
      }
      assertThat(admitted).as("%s from step %d", limit, from).isLessThanOrEqualTo(most);
    }
  }

  private static long timeOf(Step step) {
    return step instanceof Step.Reward reward ? reward.now() : ((Step.Decide) step).now();
  }

  @Test
  void one_that_is_asked_for_all_it_has_admits_a_quota_in_k_and_one_sub_windows() {
    for (int seed = 0; seed < LIMITS.size(); seed++) {
      SlidingWindow limit = limits(seed).get(0);
      long width = TimeUnit.MICROSECONDS.convert(limit.subWindow());
      List<Step.Decide> steps = new ArrayList<>();
      for (int i = 0; i < 5 * (limit.subWindows() + 1); i++) {
        steps.add(new Step.Decide(START / width * width + i * width, true, limit, limit.quota()));
      }
      long admitted =
          LuaTrace.run(redis, steps).stream().filter(reply -> reply.fits() == 1).count();
      assertThat(admitted).as("%s", limit).isEqualTo(5);
    }
  }

  @Test
  void a_state_that_nobody_here_has_written_counts_as_none() {
    SlidingWindow limit = (SlidingWindow) Limit.parse("6 per 10s sliding");
    long number = START / 1_000_000;
    List<String> foreign =
        List.of(
            "garbage",
            "1000000:" + number,
            "1000000:" + number + ":1",
            "1000000:" + number + ":0:1",
            "1000000:" + number + ":0:1:",
            "1000000:" + number + ":1:1::1",
            "1000000:" + number + ":0:1:1:",
            "1000000:" + number + ":0:-1:-1",
            "1000000:" + number + ":0:1:+1",
            "1000000:" + number + ":0:1:1.0",
            "1000000:" + number + ":0:1:0x1",
            "1000000:" + number + ":0:9007199254740992:9007199254740992",
            "1000000:" + number + ":61:62" + ":1".repeat(62),
            "500000:" + 2 * number + ":0:1:2",
            "500000:" + 2 * number + ":1:1:1",
            "1000000:" + (number + 1) + ":0:1:2",
            "1000000:" + number + ":0:0:0",
            "0:" + number + ":0:1:1",
            "1000000:9007199255:0:1:1",
            "nan:inf:0:1:1",
            " 1000000:" + number + ":0:1:1",
            ":",
            "\0");
    for (String state : foreign) {
      List<Step> steps =
          List.of(new Step.Overwrite(state), new Step.Decide(START, false, limit, 6));
      Step.Reply reply = LuaTrace.run(redis, steps).get(1);
      assertThat(reply.fits()).as(state).isEqualTo(1);
      assertThat(reply.state()).as(state).isEqualTo("1000000:" + number + ":0:6:6");
    }
  }

  @Test
  void
      a_state_in_our_form_that_contradicts_itself_breaks_no_script_and_counts_for_a_length_at_most() {
    SlidingWindow limit = (SlidingWindow) Limit.parse("6 per 10s sliding");
    long number = START / 1_000_000;
    for (String state :
        List.of(
            "1000000:" + number + ":0:6:1",
            "1000000:" + number + ":0:1:6",
            "1000000:" + (number - 12) + ":12:6:0:6",
            "1000000:" + (number - 2) + ":2:9:3",
            "1000000:" + (number - 12) + ":11:1:3:4",
            "1000000:" + (number - 2) + ":2:1" + ":9".repeat(80),
            "1000000:" + (number - 90) + ":90:6:6")) {
      List<Step> steps =
          List.of(
              new Step.Overwrite(state),
              new Step.Decide(START, true, limit, 6),
              new Step.Decide(START, true, limit, 1),
              new Step.Refund(START, true, limit, 1, START / 1_000_000 * 1_000_000),
              new Step.Reward(START, true, limit, 1),
              new Step.Decide(START + 1_000_000, true, limit, 1),
              new Step.Decide(START + 22_000_000, true, limit, 6));
      assertThat(LuaTrace.run(redis, steps).get(6).fits()).as(state).isEqualTo(1);
    }
  }

  private static List<SlidingWindow> limits(int seed) {
    return LIMITS.get(seed % LIMITS.size()).stream()
        .map(limit -> (SlidingWindow) Limit.parse(limit))
        .toList();
  }
}
