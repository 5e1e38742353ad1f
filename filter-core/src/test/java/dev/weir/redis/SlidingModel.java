package dev.weir.redis;

import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A sliding window, written from the promise and not from the scripts.
 *
 * @param width microseconds of a sub-window
 * @param counts permits granted, by number of sub-window
 */
record SlidingModel(long width, SortedMap<Long, Long> counts) implements LimitModel<SlidingModel> {

  static final SlidingModel NONE = new SlidingModel(1, new TreeMap<>());

  @Override
  public Outcome<SlidingModel> decide(Step.Decide step) {
    SlidingWindow limit = (SlidingWindow) step.limit();
    SlidingModel current = under(limit, step.now());
    long moved = current.jump(step, limit);
    current = current.movedBack(moved).counting(step.now(), limit);
    long used = current.sum();
    boolean never = step.permits() > limit.quota();
    boolean fits = !never && (step.permits() == 0 || used + step.permits() <= limit.quota());
    long at = current.charged(step.now());
    SlidingModel next = fits ? current.plus(at, step.permits()) : current;
    boolean writes = moved > 0 || (fits && step.permits() > 0);
    long reset = next.reset(step.now(), limit);
    Step.Reply reply =
        new Step.Reply(
            never ? -1 : fits ? 1 : 0,
            Math.max(0, limit.quota() - next.sum()),
            fits || never ? 0 : current.retry(step, limit),
            reset,
            at * current.width,
            writes ? BucketModel.ttl(reset) : 0,
            "");
    return new Outcome<>(reply, writes ? next : this);
  }

  @Override
  public Optional<SlidingModel> refund(Step.Refund step) {
    SlidingModel current = current(step.now(), step.stepsBack(), step.limit());
    long number = Math.floorDiv(step.stamp(), current.width);
    if (number * current.width != step.stamp() || !current.counts.containsKey(number)) {
      return Optional.empty();
    }
    SortedMap<Long, Long> left = new TreeMap<>(current.counts);
    left.merge(number, -step.permits(), (a, b) -> Math.max(0, a + b));
    return Optional.of(new SlidingModel(current.width, left));
  }

  /** Removes permits one by one, each from the oldest sub-window that has any. */
  @Override
  public Optional<SlidingModel> reward(Step.Reward step) {
    SlidingModel current = current(step.now(), step.stepsBack(), step.limit());
    SortedMap<Long, Long> left = new TreeMap<>();
    long before = 0;
    for (Map.Entry<Long, Long> each : current.counts.entrySet()) {
      long upTo = before + each.getValue();
      left.put(each.getKey(), Math.max(0, upTo - Math.max(before, step.permits())));
      before = upTo;
    }
    return before == 0 ? Optional.empty() : Optional.of(new SlidingModel(current.width, left));
  }

  @Override
  public Optional<SlidingModel> owe(Step.Owe step) {
    SlidingModel current = current(step.now(), step.stepsBack(), step.limit());
    long room = (1L << 53) - 1 - current.sum();
    return room == 0
        ? Optional.empty()
        : Optional.of(current.plus(current.charged(step.now()), Math.min(step.permits(), room)));
  }

  private SlidingModel current(long now, boolean stepsBack, Limit limit) {
    SlidingWindow sliding = (SlidingWindow) limit;
    SlidingModel current = under(sliding, now);
    long moved = stepsBack ? current.ahead(now, sliding) : 0;
    return current.movedBack(moved).counting(now, sliding);
  }

  /** Returns how long the newest sub-window counts. */
  @Override
  public long keeps(long now, Limit limit) {
    return (counts.lastKey() + ((SlidingWindow) limit).subWindows() + 1) * width - now;
  }

  /** Returns the newest sub-window's start. */
  long newestStamp() {
    return counts.isEmpty() ? 0 : counts.lastKey() * width;
  }

  @Override
  public String state(Limit limit) {
    return LongStream.rangeClosed(counts.firstKey(), counts.lastKey())
        .mapToObj(number -> Long.toString(counts.getOrDefault(number, 0L)))
        .collect(Collectors.joining(":", header(), ""));
  }

  private String header() {
    long span = counts.lastKey() - counts.firstKey();
    return "%d:%d:%d:%d:".formatted(width, counts.firstKey(), span, sum());
  }

  @Override
  public Optional<SlidingModel> follow(Limit limit, long now) {
    SlidingWindow sliding = (SlidingWindow) limit;
    return Optional.of(under(sliding, now).counting(now, sliding));
  }

  private SlidingModel under(SlidingWindow limit, long now) {
    long length = TimeUnit.MICROSECONDS.convert(limit.length());
    long next = (length + limit.subWindows() - 1) / limit.subWindows();
    SortedMap<Long, Long> moved = new TreeMap<>();
    for (Map.Entry<Long, Long> each : counts.entrySet()) {
      long start = each.getKey() * width;
      long latest = next == width ? start : Math.max(start, Math.min(start + width - 1, now));
      moved.merge(latest / next, each.getValue(), Long::sum);
    }
    return new SlidingModel(next, moved);
  }

  private long jump(Step.Decide step, SlidingWindow limit) {
    return step.stepsBack() ? ahead(step.now(), limit) : 0;
  }

  private long ahead(long now, SlidingWindow limit) {
    long ahead = newestUsed(now) - now / width;
    return ahead > limit.subWindows() + 1 ? ahead : 0;
  }

  private long newestUsed(long now) {
    return counts.entrySet().stream()
        .filter(each -> each.getValue() > 0)
        .mapToLong(Map.Entry::getKey)
        .reduce(now / width, Math::max);
  }

  private SlidingModel movedBack(long by) {
    SortedMap<Long, Long> moved = new TreeMap<>();
    counts.forEach((number, count) -> moved.put(number - by, count));
    return new SlidingModel(width, moved);
  }

  private SlidingModel counting(long now, SlidingWindow limit) {
    SortedMap<Long, Long> kept = new TreeMap<>();
    counts.forEach(
        (number, count) -> {
          if (count > 0 && number >= newestUsed(now) - limit.subWindows()) {
            kept.put(number, count);
          }
        });
    return new SlidingModel(width, kept);
  }

  /** Returns the sub-window to charge: the newest one used stays so after time moved back. */
  private long charged(long now) {
    return newestUsed(now);
  }

  private SlidingModel plus(long number, long permits) {
    if (permits == 0) {
      return this;
    }
    SortedMap<Long, Long> more = new TreeMap<>(counts);
    more.merge(number, permits, Long::sum);
    return new SlidingModel(width, more);
  }

  private long sum() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  private long retry(Step.Decide step, SlidingWindow limit) {
    long left = sum();
    for (Map.Entry<Long, Long> each : counts.entrySet()) {
      left -= each.getValue();
      if (left + step.permits() <= limit.quota()) {
        return (each.getKey() + limit.subWindows() + 1) * width - step.now();
      }
    }
    throw new AssertionError("all that counts ends, and then it fits");
  }

  private long reset(long now, SlidingWindow limit) {
    return counts.isEmpty() ? 0 : keeps(now, limit);
  }
}
