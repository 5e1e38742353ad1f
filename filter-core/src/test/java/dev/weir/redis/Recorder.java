package dev.weir.redis;

import dev.weir.store.LimiterListener;
import dev.weir.store.Source;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/** A listener that records its events. */
final class Recorder implements LimiterListener {

  /** A test acquires this to delay the notification of a switch. */
  final Semaphore hearing = new Semaphore(1);

  final List<Source> switches = new CopyOnWriteArrayList<>();
  final List<Boolean> probes = new CopyOnWriteArrayList<>();
  final List<String> errors = new CopyOnWriteArrayList<>();
  final List<String> texts = new CopyOnWriteArrayList<>();

  @Override
  public void onStoreSwitched(Source now, String why) {
    hearing.acquireUninterruptibly();
    switches.add(now);
    texts.add(why);
    hearing.release();
  }

  @Override
  public void onProbe(boolean succeeded, String detail) {
    probes.add(succeeded);
    texts.add(detail);
  }

  @Override
  public void onError(String what, Throwable error) {
    errors.add(what + ": " + error.getMessage());
    texts.add(what + ": " + error);
  }
}
