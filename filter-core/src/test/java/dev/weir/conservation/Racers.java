package dev.weir.conservation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Jvm;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/** Several {@link Racer}s that start together, and what they say that they were answered. */
final class Racers implements AutoCloseable {

  private final List<Process> processes = new ArrayList<>();
  private final List<CompletableFuture<Void>> received = new ArrayList<>();
  private final LongAdder granted = new LongAdder();
  private final LongAdder denied = new LongAdder();
  private final LongAdder spoiled = new LongAdder();

  private Racers() {}

  /** Starts so many, and lets them go when all are ready. */
  static Racers start(int processes, String uri, String wide) throws IOException {
    Racers racers = new Racers();
    for (int i = 0; i < processes; i++) {
      racers.processes.add(Jvm.start(Racer.class, List.of(uri, wide)));
    }
    for (Process racer : racers.processes) {
      assertThat(racer.getInputStream().read()).isEqualTo(Racer.READY);
    }
    for (Process racer : racers.processes) {
      racers.received.add(CompletableFuture.runAsync(() -> racers.hear(racer.getInputStream())));
      racer.getOutputStream().write('\n');
      racer.getOutputStream().flush();
    }
    return racers;
  }

  private void hear(InputStream answers) {
    try {
      for (int answer = answers.read(); answer >= 0; answer = answers.read()) {
        count(answer);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void count(int answer) {
    switch (answer) {
      case Racer.GRANTED -> granted.increment();
      case Racer.DENIED -> denied.increment();
      default -> spoiled.increment();
    }
  }

  long granted() {
    return granted.sum();
  }

  long denied() {
    return denied.sum();
  }

  /** How often it was not Redis that answered. */
  long spoiled() {
    return spoiled.sum();
  }

  /**
   * Kills a process as {@code kill -9} does. {@link Process#destroyForcibly} would also close this
   * end of its pipe, and the answers that it has written are still to be read.
   */
  void kill(int racer) throws InterruptedException {
    processes.get(racer).toHandle().destroyForcibly();
    processes.get(racer).waitFor();
  }

  /** Lets the live processes finish what they have begun, and reads all answers. */
  void finish() throws IOException {
    for (Process racer : processes) {
      if (racer.isAlive()) {
        racer.getOutputStream().close();
      }
    }
    received.forEach(CompletableFuture::join);
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
  }
}
