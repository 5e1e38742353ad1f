package dev.weir.internal.store;

import dev.weir.store.AcquireRequest;
import dev.weir.store.Adjustment;
import dev.weir.store.Decision;
import dev.weir.store.LimiterListener;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A listener that notifies other listeners, which can be added and removed. It keeps their failures
 * away from requests and from each other, except a {@link VirtualMachineError}. The first failure
 * of a listener is logged as a warning, later ones at debug level. Thread-safe.
 */
public class GuardedListener<L extends LimiterListener> implements LimiterListener {

  private static final Logger LOG = System.getLogger(GuardedListener.class.getName());

  private record Guarded<L>(L listener, AtomicBoolean hasWarned) {

    /** Returns the result of the call, or false when it fails. */
    boolean test(Predicate<? super L> call) {
      try {
        return call.test(listener);
      } catch (VirtualMachineError fatal) {
        throw fatal;
      } catch (Exception | Error failure) {
        Level level = hasWarned.getAndSet(true) ? Level.DEBUG : Level.WARNING;
        String name = listener.getClass().getName();
        LOG.log(level, () -> "the listener " + name + " failed: " + Failures.brief(failure));
        return false;
      }
    }
  }

  private final List<Guarded<L>> all = new CopyOnWriteArrayList<>();

  /** Returns a listener that throws nothing but a {@link VirtualMachineError}. */
  public static LimiterListener of(LimiterListener listener) {
    if (listener == NONE || listener instanceof GuardedListener) {
      return listener;
    }
    GuardedListener<LimiterListener> guarded = new GuardedListener<>();
    guarded.add(listener);
    return guarded;
  }

  public final void add(L listener) {
    if (Objects.requireNonNull(listener, "listener") != NONE) {
      all.add(new Guarded<>(listener, new AtomicBoolean()));
    }
  }

  /** Removes the listener once, even if it was added more than once. */
  @SuppressWarnings("ReferenceEquality") // by identity, not by equality
  public final void remove(L listener) {
    all.stream().filter(one -> one.listener() == listener).findFirst().ifPresent(all::remove);
  }

  @Override
  public final boolean receivesDecisions() {
    for (Guarded<L> one : all) {
      if (one.test(LimiterListener::receivesDecisions)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public final void onDecision(AcquireRequest request, Decision decision, Duration took) {
    tell(
        one -> {
          if (one.receivesDecisions()) {
            one.onDecision(request, decision, took);
          }
        });
  }

  @Override
  public void onStoreSwitched(Source now, String why) {
    tell(one -> one.onStoreSwitched(now, why));
  }

  @Override
  public void onProbe(boolean succeeded, String detail) {
    tell(one -> one.onProbe(succeeded, detail));
  }

  @Override
  public void onPermitsLost(Decision.Receipt held) {
    tell(one -> one.onPermitsLost(held));
  }

  @Override
  public final void onAdjustmentLost(Adjustment.OfReceipt lost, StoreUnavailableException why) {
    tell(one -> one.onAdjustmentLost(lost, why));
  }

  @Override
  public void onError(String what, Throwable error) {
    tell(one -> one.onError(what, error));
  }

  protected final void tell(Consumer<? super L> event) {
    for (Guarded<L> one : all) {
      boolean unused =
          one.test(
              listener -> {
                event.accept(listener);
                return true;
              });
    }
  }
}
