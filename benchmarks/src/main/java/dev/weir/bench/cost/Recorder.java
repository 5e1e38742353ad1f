package dev.weir.bench.cost;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisMonitor;
import redis.clients.jedis.exceptions.JedisException;

/** A recorder of the scripts that are called, as {@code MONITOR} shows them. */
final class Recorder implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 120_000;
  private static final int PING_MILLIS = 10;
  private static final String MARK = "weir-bench-mark";

  private final Jedis monitor;
  private final Jedis client;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private Recorder(String uri) {
    monitor = new Jedis(URI.create(uri), PATIENCE_MILLIS);
    client = new Jedis(URI.create(uri), PATIENCE_MILLIS);
  }

  /** Returns all scripts called during this work, in order. */
  static List<Call> during(String uri, Work work) throws Exception {
    try (Recorder recorder = new Recorder(uri)) {
      recorder.begin();
      work.once();
      return recorder.calls();
    }
  }

  private void begin() throws InterruptedException {
    Thread thread = new Thread(this::listen, "bench-monitor");
    thread.setDaemon(true);
    thread.start();
    do {
      client.echo(MARK + " begin");
    } while (lines.poll(PING_MILLIS, TimeUnit.MILLISECONDS) == null);
  }

  private void listen() {
    try {
      monitor.monitor(
          new JedisMonitor() {
            @Override
            public void onCommand(String command) {
              lines.add(command);
            }
          });
    } catch (JedisException closed) {
      // the normal end
    }
  }

  private List<Call> calls() throws InterruptedException {
    String end = MARK + " end";
    client.echo(end);
    List<Call> calls = new ArrayList<>();
    while (true) {
      String line = lines.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      if (line == null) {
        throw new IllegalStateException("MONITOR is silent");
      }
      if (line.contains(end)) {
        return calls;
      }
      Call.of(line).ifPresent(calls::add);
    }
  }

  @Override
  public void close() {
    monitor.close();
    client.close();
  }
}
