package dev.weir.redis;

import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A concurrency limit, written from the promise and not from the scripts.
 *
 * @param holds the permits in the order in which they end
 * @param ttl the longest ttl since no permit was held
 */
record HoldModel(List<Held> holds, long ttl) implements LimitModel<HoldModel> {

  static final HoldModel NONE = new HoldModel(List.of(), 0);

  record Held(long id, long permits, long ends) {}

  /** Decides; permits are named by the time of their grant. */
  @Override
  public Outcome<HoldModel> decide(Step.Decide step) {
    Concurrency limit = (Concurrency) step.limit();
    HoldModel current = at(step.now(), step.stepsBack());
    boolean jumped = current.holds.stream().anyMatch(hold -> !holds.contains(hold));
    boolean never = step.permits() > limit.permits();
    boolean fits = !never && (step.permits() == 0 || step.permits() <= current.free(limit));
    boolean takes = fits && step.permits() > 0;
    HoldModel next =
        takes
            ? current.with(
                new Held(step.now(), step.permits(), step.now() + micros(limit)), micros(limit))
            : current;
    long reset = next.keeps(step.now(), limit);
    Step.Reply reply =
        new Step.Reply(
            never ? -1 : fits ? 1 : 0,
            Math.max(0, next.free(limit)),
            fits || never ? 0 : current.retry(step, limit),
            reset,
            takes ? step.now() : 0,
            takes || jumped ? BucketModel.ttl(reset) : 0,
            "");
    return new Outcome<>(reply, takes || jumped ? next : this);
  }

  @Override
  public Optional<HoldModel> refund(Step.Refund step) {
    HoldModel current = at(step.now(), step.stepsBack());
    return current.named(step.stamp()).map(current::without);
  }

  @Override
  public Optional<HoldModel> reward(Step.Reward step) {
    return Optional.empty();
  }

  @Override
  public Optional<HoldModel> renew(Step.Renew step) {
    HoldModel current = at(step.now(), step.stepsBack());
    long ttl = micros((Concurrency) step.limit());
    return current
        .named(step.stamp())
        .map(
            hold ->
                current
                    .without(hold)
                    .with(
                        new Held(hold.id, hold.permits, Math.max(hold.ends, step.now() + ttl)),
                        ttl));
  }

  @Override
  public long keeps(long now, Limit limit) {
    return holds.isEmpty() ? 0 : holds.get(holds.size() - 1).ends - now;
  }

  long lastEnd(long otherwise) {
    return holds.isEmpty() ? otherwise : holds.get(holds.size() - 1).ends;
  }

  /**
   * Formats it as the test driver shows a sorted set: permits that end together are sorted by name.
   */
  @Override
  public String state(Limit limit) {
    StringBuilder state = new StringBuilder(held() + ":" + ttl);
    holds.stream()
        .sorted(Comparator.comparingLong(Held::ends).thenComparing(hold -> Long.toString(hold.id)))
        .forEach(hold -> state.append(";" + hold.id + ":" + hold.permits + ":" + hold.ends));
    return state.toString();
  }

  private HoldModel at(long now, boolean stepsBack) {
    List<Held> live = holds.stream().filter(hold -> hold.ends > now).toList();
    if (live.isEmpty()) {
      return NONE;
    }
    boolean jumped = stepsBack && live.get(live.size() - 1).ends - now > 2 * ttl;
    return new HoldModel(
        live.stream()
            .map(
                hold ->
                    jumped ? new Held(hold.id, hold.permits, Math.min(hold.ends, now + ttl)) : hold)
            .toList(),
        ttl);
  }

  private HoldModel with(Held hold, long itsLease) {
    List<Held> more = new ArrayList<>(holds);
    more.add(hold);
    more.sort(Comparator.comparingLong(Held::ends));
    return new HoldModel(List.copyOf(more), Math.max(ttl, itsLease));
  }

  private HoldModel without(Held hold) {
    List<Held> less = new ArrayList<>(holds);
    less.remove(hold);
    return new HoldModel(List.copyOf(less), ttl);
  }

  private Optional<Held> named(long id) {
    return holds.stream().filter(hold -> hold.id == id).findFirst();
  }

  private long held() {
    return holds.stream().mapToLong(Held::permits).sum();
  }

  private long free(Concurrency limit) {
    return limit.permits() - held();
  }

  private long retry(Step.Decide step, Concurrency limit) {
    long free = free(limit);
    for (Held hold : holds) {
      free += hold.permits;
      if (free >= step.permits()) {
        return hold.ends - step.now();
      }
    }
    throw new AssertionError("all leases end, and then it fits");
  }

  private static long micros(Concurrency limit) {
    return TimeUnit.MICROSECONDS.convert(limit.ttl());
  }
}
