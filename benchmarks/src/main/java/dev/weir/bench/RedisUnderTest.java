package dev.weir.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The Redis under test, empty at first: one of its own, or a given one. It reports what it has
 * spent.
 */
public final class RedisUnderTest implements AutoCloseable {

  private static final long PATIENCE_NANOS = 10_000_000_000L;

  /** Two million keys are not deleted in the usual two seconds. */
  private static final int TIMEOUT_MILLIS = 60_000;

  private final String uri;
  private final Optional<RedisProcess> own;
  private final Jedis client;

  private RedisUnderTest(String uri, Optional<RedisProcess> own) {
    this.uri = uri;
    this.own = own;
    this.client = connected(uri);
    client.flushAll();
  }

  /** Connects to this URI, or starts a Redis where there is none. */
  static RedisUnderTest at(Optional<String> given) throws IOException {
    if (given.isPresent()) {
      return given(given.get());
    }
    Path directory = Files.createTempDirectory("weir-bench-redis");
    RedisProcess process = RedisProcess.start(directory);
    return new RedisUnderTest(process.uri(), Optional.of(process));
  }

  /** Connects to this URI, and deletes everything there. */
  public static RedisUnderTest given(String uri) {
    return new RedisUnderTest(uri, Optional.empty());
  }

  /** Connects and waits until it answers. */
  static Jedis connected(String uri) {
    long due = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      try {
        Jedis client = new Jedis(URI.create(uri), TIMEOUT_MILLIS);
        client.ping();
        return client;
      } catch (JedisException notYet) {
        if (System.nanoTime() - due > 0) {
          throw notYet;
        }
        Thread.onSpinWait();
      }
    }
  }

  public String uri() {
    return uri;
  }

  public String version() {
    return Spent.field(client.info("server"), "redis_version");
  }

  /** Deletes everything in it, and makes it release the freed memory. */
  public void clear() {
    client.flushAll();
    client.sendCommand(() -> "MEMORY".getBytes(StandardCharsets.US_ASCII), "PURGE");
  }

  /** Returns what it has spent since it began. */
  public Spent spent() {
    return Spent.by(client);
  }

  /** Returns its processor time since it began, in microseconds. */
  public double cpuMicros() {
    return Spent.cpuMicros(client);
  }

  /** Returns how often commands with this prefix were run, scripts' commands among them. */
  public long calls(String command) {
    return Spent.calls(client, command);
  }

  /** Returns the memory in use, in bytes. */
  public long usedMemory() {
    return Long.parseLong(Spent.field(client.info("memory"), "used_memory"));
  }

  public long keys() {
    return client.dbSize();
  }

  @Override
  public void close() {
    client.close();
    own.ifPresent(RedisProcess::close);
  }
}
