package dev.weir.internal;

import dev.weir.AcquireRequest;
import dev.weir.Decision;
import dev.weir.Failures;
import dev.weir.LimiterListener;
import dev.weir.Receipt;
import dev.weir.RuleOutcome;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
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
public final class GuardedListener implements LimiterListener {

  private static final Logger LOG = System.getLogger(GuardedListener.class.getName());

  private record Guarded(LimiterListener listener, AtomicBoolean hasWarned) {

    /** Returns what the listener answers, or false when it fails. */
    boolean answers(Predicate<LimiterListener> call) {
      try {
        return call.test(listener);
      } catch (VirtualMachineError fatal) {
        throw fatal;
      } catch (Exception | Error failure) {
        Level level = hasWarned.getAndSet(true) ? Level.DEBUG : Level.WARNING;
        LOG.log(level, () -> listener.getClass().getName() + " failed: " + Failures.brief(failure));
        return false;
      }
    }
  }

  private final List<Guarded> all = new CopyOnWriteArrayList<>();

  public GuardedListener(LimiterListener first) {
    add(first);
  }

  public void add(LimiterListener listener) {
    if (Objects.requireNonNull(listener, "listener") != NONE) {
      all.add(new Guarded(listener, new AtomicBoolean()));
    }
  }

  /** Removes the listener once, even if it was added more than once. */
  @SuppressWarnings("ReferenceEquality") // by identity, not by equality
  public void remove(LimiterListener listener) {
    all.stream().filter(one -> one.listener() == listener).findFirst().ifPresent(all::remove);
  }

  @Override
  public boolean receivesDecisions() {
    for (Guarded one : all) {
      if (one.answers(LimiterListener::receivesDecisions)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void onRequestDecided(List<String> rules, RuleOutcome outcome, Decision decision) {
    tellOfDecision(one -> one.onRequestDecided(rules, outcome, decision));
  }

  @Override
  public void onDecision(AcquireRequest request, Decision decision, Duration took) {
    tellOfDecision(one -> one.onDecision(request, decision, took));
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
  public void onRefundLost(List<String> rules, StoreUnavailableException why) {
    tell(one -> one.onRefundLost(rules, why));
  }

  @Override
  public void onShed() {
    tell(LimiterListener::onShed);
  }

  @Override
  public void onPermitsLost(Receipt held) {
    tell(one -> one.onPermitsLost(held));
  }

  @Override
  public void onError(String what, Throwable error) {
    tell(one -> one.onError(what, error));
  }

  /** Leaves out listeners that receive no decisions, while others do. */
  private void tellOfDecision(Consumer<LimiterListener> event) {
    tell(
        one -> {
          if (one.receivesDecisions()) {
            event.accept(one);
          }
        });
  }

  private void tell(Consumer<LimiterListener> event) {
    for (Guarded one : all) {
      boolean unused =
          one.answers(
              listener -> {
                event.accept(listener);
                return true;
              });
    }
  }
}
