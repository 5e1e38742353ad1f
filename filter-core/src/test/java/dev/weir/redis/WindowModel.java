package dev.weir.redis;

import dev.weir.limit.FixedWindow;
import dev.weir.limit.FixedWindow.CalendarWindow;
import dev.weir.limit.FixedWindow.FirstRequestWindow;
import dev.weir.limit.FixedWindow.Window;
import dev.weir.limit.Limit;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A fixed window, written from the promise and not from the scripts.
 *
 * @param used permits granted in it
 * @param end microseconds; 0 when there is no window yet
 */
record WindowModel(long used, long end) implements LimitModel<WindowModel> {

  static final WindowModel NONE = new WindowModel(0, 0);

  @Override
  public Outcome<WindowModel> decide(Step.Decide step) {
    FixedWindow limit = (FixedWindow) step.limit();
    WindowModel current = at(step.now(), step.stepsBack(), limit.window());
    boolean jumped = end > step.now() && current.end != end;
    boolean never = step.permits() > limit.quota();
    boolean fits =
        !never && (step.permits() == 0 || step.permits() <= limit.quota() - current.used);
    boolean writes = jumped || (fits && step.permits() > 0);
    WindowModel next = fits ? new WindowModel(current.used + step.permits(), current.end) : current;
    long left = next.end - step.now();
    Step.Reply reply =
        new Step.Reply(
            never ? -1 : fits ? 1 : 0,
            Math.max(0, limit.quota() - next.used),
            fits || never ? 0 : left,
            next.used == 0 ? 0 : left,
            next.end,
            writes ? BucketModel.ttl(left) : 0,
            "");
    return new Outcome<>(reply, writes ? next : this);
  }

  @Override
  public Optional<WindowModel> refund(Step.Refund step) {
    return end == step.stamp() ? less(step.permits(), step.now()) : Optional.empty();
  }

  @Override
  public Optional<WindowModel> reward(Step.Reward step) {
    return less(step.permits(), step.now());
  }

  @Override
  public Optional<WindowModel> owe(Step.Owe step) {
    Window window = ((FixedWindow) step.limit()).window();
    boolean inUse = end > step.now();
    long owed = Math.min((1L << 53) - 1, (inUse ? used : 0) + step.permits());
    return Optional.of(new WindowModel(owed, inUse ? end : freshEnd(step.now(), window)));
  }

  /** In process a window ends when all of it was returned, because a full counter is not kept. */
  @Override
  public Optional<WindowModel> follow(Limit limit, long now) {
    return used == 0 ? Optional.of(NONE) : Optional.empty();
  }

  private Optional<WindowModel> less(long permits, long now) {
    return end <= now || used == 0
        ? Optional.empty()
        : Optional.of(new WindowModel(Math.max(0, used - permits), end));
  }

  @Override
  public long keeps(long now, Limit limit) {
    return end - now;
  }

  @Override
  public long lasts(long now) {
    return Math.max(0, end - now);
  }

  @Override
  public String state(Limit limit) {
    return used + ":" + end;
  }

  private WindowModel at(long now, boolean stepsBack, Window window) {
    if (end <= now) {
      return new WindowModel(0, freshEnd(now, window));
    }
    boolean jumped = stepsBack && end - now > 2 * TimeUnit.MICROSECONDS.convert(window.longest());
    return jumped ? new WindowModel(used, freshEnd(now, window)) : this;
  }

  private static long freshEnd(long now, Window window) {
    if (window instanceof FirstRequestWindow first) {
      return now + TimeUnit.MICROSECONDS.convert(first.length());
    }
    Instant instant = Instant.EPOCH.plus(now, ChronoUnit.MICROS);
    return ChronoUnit.MICROS.between(Instant.EPOCH, ((CalendarWindow) window).at(instant).end());
  }
}
