package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.SideBySide;
import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The concurrency limit's Lua decides as the exact model does, on generated traces. */
@SideBySide
class LuaConcurrencyTraceTest extends OnEveryRedis {

  private static final int TRACES = 600;
  private static final int STEPS = 100;
  private static final long START = 1_795_000_000_000_000L;
  private static final long LEASE = 10_000_000;

  /**
   * However often the clock steps back, no ttl is shorter than it was granted. So no more permits
   * are held than allowed. A permit is held while its holder has reason to believe so.
   */
  @Test
  void no_more_are_held_than_the_limit_says_though_the_clock_steps_back() {
    for (int seed = 0; seed < TRACES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      long most = 1 + random.nextLong(6);
      Concurrency limit = (Concurrency) Limit.parse(most + " concurrent, ttl 10s");
      List<Long> times = new ArrayList<>();
      List<Step> steps = new ArrayList<>();
      List<Long> stamps = new ArrayList<>();
      long time = START;
      long behind = 0;
      for (int i = 0; i < STEPS; i++) {
        time += 1 + random.nextLong(LEASE / 4);
        behind += random.nextInt(10) == 0 ? random.nextLong(4 * LEASE) : 0;
        times.add(time);
        steps.add(step(time - behind, limit, stamps, random));
      }
      assertHeld(most, times, steps, LuaTrace.run(redis, steps));
    }
  }

  private static Step step(
      long now, Concurrency limit, List<Long> stamps, SplittableRandom random) {
    int kind = stamps.isEmpty() ? 0 : random.nextInt(4);
    if (kind < 2) {
      stamps.add(now);
      return new Step.Decide(now, true, limit, 1 + random.nextLong(limit.permits()));
    }
    long stamp = stamps.get(Math.max(0, stamps.size() - 1 - random.nextInt(5)));
    return kind == 2
        ? new Step.Refund(now, true, limit, 1, stamp)
        : new Step.Renew(now, true, limit, stamp);
  }

  /** Checks by the time that passes for all, and by the scripts' answers. */
  private static void assertHeld(
      long most, List<Long> times, List<Step> steps, List<Step.Reply> replies) {
    Map<Long, long[]> heldUntil = new HashMap<>();
    for (int i = 0; i < steps.size(); i++) {
      long time = times.get(i);
      boolean wrote = replies.get(i).ttl() > 0;
      heldUntil.values().removeIf(hold -> hold[1] <= time);
      if (steps.get(i) instanceof Step.Refund back) {
        heldUntil.remove(back.stamp());
      } else if (steps.get(i) instanceof Step.Renew renew && wrote) {
        heldUntil.computeIfPresent(renew.stamp(), (id, hold) -> new long[] {hold[0], time + LEASE});
      } else if (steps.get(i) instanceof Step.Decide decide && replies.get(i).stamp() > 0) {
        heldUntil.put(decide.now(), new long[] {decide.permits(), time + LEASE});
      }
      assertThat(heldUntil.values().stream().mapToLong(hold -> hold[0]).sum())
          .as("%d concurrent, step %d", most, i)
          .isLessThanOrEqualTo(most);
    }
  }

  @Test
  void a_clock_that_has_jumped_back_locks_nobody_out_for_longer_than_two_leases() {
    Concurrency limit = (Concurrency) Limit.parse("3 concurrent, ttl 10s");
    for (long jump : new long[] {1, LEASE, LEASE + 1, 2 * LEASE, 1_000 * LEASE}) {
      List<Step> steps =
          List.of(
              new Step.Decide(START, true, limit, 1),
              new Step.Decide(START + 1, true, limit, 2),
              new Step.Decide(START + 2 - jump, true, limit, 1),
              new Step.Decide(START + 2 - jump + LEASE - 3, true, limit, 3),
              new Step.Decide(START + 2 - jump + 2 * LEASE, true, limit, 3));
      List<Step.Reply> replies = LuaTrace.run(redis, steps);
      assertThat(replies.stream().map(Step.Reply::fits))
          .as("%d back", jump)
          .containsExactly(1L, 1L, 0L, 0L, 1L);
    }
  }

  @Test
  void a_clock_of_one_node_among_many_moves_no_hold() {
    Concurrency limit = (Concurrency) Limit.parse("1 concurrent, ttl 10s");
    List<Step> steps =
        List.of(
            new Step.Decide(START, false, limit, 1),
            new Step.Decide(START - 1_000 * LEASE, false, limit, 1),
            new Step.Decide(START - 998 * LEASE, false, limit, 1));
    List<Step.Reply> replies = LuaTrace.run(redis, steps);
    assertThat(replies.stream().map(Step.Reply::fits)).containsExactly(1L, 0L, 0L);
    assertThat(replies.get(2).state()).isEqualTo(replies.get(0).state());
  }

  @Test
  void a_state_that_nobody_here_has_written_counts_as_none() {
    Concurrency limit = (Concurrency) Limit.parse("4 concurrent, ttl 10s");
    long ends = START + 5_000_000;
    List<String> foreign =
        List.of(
            "garbage",
            "4",
            "4:10000000",
            "4:10000000;",
            "4:10000000;1:4",
            "4:10000000;1:4:" + ends + ";",
            "4:10000000;1:4:" + ends + ":1",
            "4:10000000;1:4:" + ends + ";x",
            "4:10000000;1:4:-" + ends,
            "4:10000000;1:4:+" + ends,
            "4:10000000;1:4:0x10",
            "4:10000000;1:4:99999999999999999999",
            "4:10000000;99999999999999999:4:" + ends,
            "9007199254740992:10000000;1:4:" + ends,
            "4:9007199254740992;1:4:" + ends,
            "0:10000000;1:4:" + ends,
            "-4:10000000;1:4:" + ends,
            "4:10000000;1:9:" + (START - 1),
            "nan:inf;1:4:" + ends,
            " 4:10000000;1:4:" + ends,
            ":;",
            "\0");
    for (String state : foreign) {
      List<Step> steps =
          List.of(new Step.Overwrite(state), new Step.Decide(START, false, limit, 4));
      Step.Reply reply = LuaTrace.run(redis, steps).get(1);
      assertThat(reply.fits()).as(state).isEqualTo(1);
      assertThat(reply.state())
          .as(state)
          .isEqualTo("4:10000000;" + START + ":4:" + (START + 10_000_000));
    }
  }
}
