package dev.weir.config;

import dev.weir.AcquireRequest;
import dev.weir.Decision;
import dev.weir.LimiterListener;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Listeners that can be added and removed. Each is protected from the failures of the others.
 * Thread-safe.
 */
final class Listeners implements LimiterListener {

  /** A listener as it was added, and the guarded one that is called. */
  private record Listening(LimiterListener added, LimiterListener guarded) {}

  private final List<Listening> all = new CopyOnWriteArrayList<>();

  Listeners(LimiterListener first) {
    add(first);
  }

  void add(LimiterListener listener) {
    if (listener != NONE) {
      all.add(new Listening(listener, LimiterListener.guarded(listener)));
    }
  }

  /** Removes the listener once, even if it was added more than once. */
  @SuppressWarnings("ReferenceEquality") // by identity, not by equality
  void remove(LimiterListener listener) {
    all.stream().filter(one -> one.added() == listener).findFirst().ifPresent(all::remove);
  }

  private void tell(Consumer<LimiterListener> event) {
    for (Listening one : all) {
      event.accept(one.guarded());
    }
  }

  @Override
  public boolean receivesDecisions() {
    for (Listening one : all) {
      if (one.guarded().receivesDecisions()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void onDecision(AcquireRequest request, Decision decision, Duration took) {
    tell(one -> one.onDecision(request, decision, took));
  }

  @Override
  public void onRequestDecided(List<String> rules, Decision decision) {
    tell(one -> one.onRequestDecided(rules, decision));
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
}
