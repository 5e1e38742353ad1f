package dev.weir.internal;

import dev.weir.AcquireRequest;
import dev.weir.Decision;
import dev.weir.Failures;
import dev.weir.LimiterListener;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A listener that keeps another listener's failures away from requests. The first failure is logged
 * as a warning, later ones at debug level.
 */
public final class GuardedListener implements LimiterListener {

  private static final Logger LOG = System.getLogger(GuardedListener.class.getName());

  private final LimiterListener listener;
  private final AtomicBoolean hasWarned = new AtomicBoolean();

  public GuardedListener(LimiterListener listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  @Override
  public boolean receivesDecisions() {
    return listener.receivesDecisions();
  }

  @Override
  public void onRequestDecided(List<String> rules, Decision decision) {
    guard(() -> listener.onRequestDecided(rules, decision));
  }

  @Override
  public void onDecision(AcquireRequest request, Decision decision, Duration took) {
    guard(() -> listener.onDecision(request, decision, took));
  }

  @Override
  public void onStoreSwitched(Source now, String why) {
    guard(() -> listener.onStoreSwitched(now, why));
  }

  @Override
  public void onProbe(boolean succeeded, String detail) {
    guard(() -> listener.onProbe(succeeded, detail));
  }

  @Override
  public void onRefundLost(List<String> rules, StoreUnavailableException why) {
    guard(() -> listener.onRefundLost(rules, why));
  }

  @Override
  public void onShed() {
    guard(listener::onShed);
  }

  @Override
  public void onPermitsLost(Receipt held) {
    guard(() -> listener.onPermitsLost(held));
  }

  @Override
  public void onError(String what, Throwable error) {
    guard(() -> listener.onError(what, error));
  }

  private void guard(Runnable call) {
    try {
      call.run();
    } catch (Exception | LinkageError | AssertionError failure) {
      Level level = hasWarned.getAndSet(true) ? Level.DEBUG : Level.WARNING;
      LOG.log(level, () -> listener.getClass().getName() + " failed: " + Failures.brief(failure));
    }
  }
}
