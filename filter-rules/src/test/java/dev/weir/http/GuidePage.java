package dev.weir.http;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import dev.weir.fixture.Documents;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import dev.weir.store.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;

/**
 * The example that uses everything that a rule can say, exactly as it is there, and what a client
 * must see of each of its features.
 *
 * <p>The application under test answers every path with {@link #statusOf} and {@link #bodyOf}, once
 * {@link #work} is done. It reports which rule has degraded the request. A request with {@code
 * X-User} is from that user, and has the role of that name.
 */
public final class GuidePage implements AutoCloseable {

  /** The only peer that is trusted to send forwarding fields. */
  private static final String PROXY = "127.0.0.9";

  /** The digest of the key partner. */
  private static final String PARTNER =
      "7f3fa48ca885678134842fa7456f3ece53a97f843b610185d900ac4e467c7490";

  private final Path file;
  private final RedisServer redis;
  private @Nullable Weir limiting;
  private final Semaphore ends = new Semaphore(0);
  private final Semaphore begun = new Semaphore(0);

  /** Writes the page to this directory, and starts the Redis that it is about. */
  public GuidePage(RedisVersion version, Path directory) throws IOException {
    redis = RedisServer.start(version);
    Path partners = Files.writeString(directory.resolve("partners.sha256"), PARTNER + " pro\n");
    surroundings(redis, partners).forEach(System::setProperty);
    file = Files.writeString(directory.resolve("weir.yaml"), yaml());
  }

  private static String yaml() {
    return Documents.text("examples/all-of-it/weir.yaml");
  }

  private static Map<String, String> surroundings(RedisServer redis, Path partners) {
    return Map.of(
        "SHOP_REDIS",
        "redis://127.0.0.1:" + redis.port(),
        "SHOP_DEADLINE",
        "5s",
        "SHOP_PROXIES",
        PROXY + "/32",
        "SHOP_PARTNERS",
        partners.toString());
  }

  /** What limits by the page, once Redis decides; closed with this. */
  public Weir open() {
    Weir weir =
        Weir.open(
            new WeirSource(
                "weir",
                Map.of("config", file.toString()),
                path -> null,
                GuidePage.class.getClassLoader()));
    await().until(() -> weir.status().store() == Source.REDIS);
    limiting = weir;
    return weir;
  }

  /** What the application does for this path before it answers. */
  public void work(String path) {
    if (path.endsWith("/slow")) {
      begun.release();
      ends.acquireUninterruptibly();
    }
  }

  /** Returns what the application answers on this path, if it has nothing else to report. */
  public static String bodyOf(String path) {
    return path.startsWith("/files/") ? "x".repeat(Integer.parseInt(path.substring(7))) : "passed";
  }

  /** With which status the application answers this path. */
  public static int statusOf(String path) {
    return path.startsWith("/login/with/") ? Integer.parseInt(path.substring(12)) : 200;
  }

  @Override
  public void close() {
    ends.release(100);
    if (limiting != null) {
      limiting.close();
    }
    surroundings(redis, file).keySet().forEach(System::clearProperty);
    redis.close();
  }

  /** Of the application at this address, one after the other; the last one takes Redis away. */
  public Stream<DynamicTest> testsOf(URI base) {
    RawHttp http = new RawHttp(base);
    return Stream.of(
        of("lists", http, this::lists),
        of("several limits and subjects in one decision", http, this::several),
        of("a subject of several parts", http, this::parts),
        of("one budget, several prices", http, this::budget),
        of("the bytes of responses", http, this::bytes),
        of("only what matters is counted", http, this::counted),
        of("a tier by a trusted proxy's header", http, this::tierByHeader),
        of("a tier by role", http, this::tierByRole),
        of("a tier by a file of keys", http, this::tierByKey),
        of("a tier by a class, and an override", http, this::tierByClass),
        of("what is denied is degraded", http, this::degraded),
        of("a shadow", http, this::shadow),
        of("what is denied waits", http, this::delayed),
        of("a node sheds what it cannot serve, and keeps room for some", http, this::overloaded),
        of("a permit is held while a request runs", http, this::held),
        of("what is switched off limits nobody", http, this::off),
        of("a changed file is reloaded", http, this::reloaded),
        of("Redis is gone", http, this::outage));
  }

  private static DynamicTest of(String name, RawHttp http, Consumer<RawHttp> check) {
    return dynamicTest(name, () -> check.accept(http));
  }

  private void lists(RawHttp http) {
    assertThat(http.get("/any").field("RateLimit-Policy")).contains("\"flood\";q=2000;w=2");
    assertThat(via(http, "/any", "X-Forwarded-For: 192.0.2.5").status()).isEqualTo(403);
    assertThat(http.get("/any", "X-API-Key: s3cr3t").status()).isEqualTo(403);
    assertThat(http.get("/health", "X-API-Key: s3cr3t").status()).isEqualTo(200);
    assertThat(via(http, "/any", "X-Forwarded-For: 198.51.100.7").has("RateLimit")).isFalse();
  }

  private void several(RawHttp http) {
    Answer first = http.get("/api/items", "X-API-Key: a");
    assertThat(first.field("RateLimit-Policy"))
        .contains("\"flood\"", "\"calls\";q=10;w=120", "\"day\";q=500", "\"all\";q=10000;w=60")
        .doesNotContain("candidate");
    for (int i = 1; i < 10; i++) {
      assertThat(http.get("/api/items", "X-API-Key: a").status()).isEqualTo(200);
    }
    Answer denied = http.get("/api/items", "X-API-Key: a");
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.body()).contains("\"violated-policies\":[\"calls\"]");
    assertThat(http.get("/api/items", "X-API-Key: b").status()).isEqualTo(200);
  }

  private void parts(RawHttp http) {
    assertAdmits(6, () -> http.get("/search", "X-Session: s"), "search");
    assertThat(http.get("/search", "X-Session: t").status()).isEqualTo(200);
    assertAdmits(6, () -> http.get("/search"), "search");
  }

  private void budget(RawHttp http) {
    assertThat(credits(http.get("/shop/list", "X-User: ann"))).isEqualTo(99);
    assertThat(credits(http.get("/shop/report", "X-User: ann"))).isEqualTo(69);
    assertThat(credits(http.get("/shop/rows?size=20", "X-User: ann"))).isEqualTo(49);
    assertThat(credits(http.get("/shop/rows", "X-User: ann"))).isEqualTo(39);
    assertThat(credits(http.post("/shop/batch", "X-User: ann", "X-Rows: 7"))).isEqualTo(32);
    assertThat(http.get("/shop/rows?size=x", "X-User: ann").status()).isEqualTo(429);
    assertThat(credits(http.get("/shop/report", "X-User: ann"))).isEqualTo(2);
    assertThat(credits(http.get("/shop/list", "X-User: bob"))).isEqualTo(99);
  }

  private static long credits(Answer answer) {
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("RateLimit")).startsWith("\"credits\";r=");
    return Long.parseLong(answer.field("RateLimit").replaceAll("^.*;r=([0-9]+);.*$", "$1"));
  }

  /** The third is let in by what is left, and owes the rest. */
  private void bytes(RawHttp http) {
    for (int i = 0; i < 3; i++) {
      assertThat(http.get("/files/480000").body()).hasSize(480_000);
    }
    await().until(() -> http.get("/files/0").status() == 429);
    assertThat(http.get("/files/0").body()).contains("\"violated-policies\":[\"traffic\"]");
  }

  private void counted(RawHttp http) {
    for (int i = 0; i < 10; i++) {
      await().until(() -> http.get("/login/with/200").status() == 200);
    }
    for (int i = 0; i < 3; i++) {
      await().until(() -> http.get("/login/with/401").status() == 401);
    }
    assertThat(http.get("/login/with/200").status()).isEqualTo(429);
  }

  private void tierByHeader(RawHttp http) {
    assertAdmits(2, () -> http.get("/tier/header", "X-API-Key: h", "X-Tier: vip"), "free");
    assertThat(via(http, "/tier/header", "X-API-Key: h", "X-Tier: pro").field("RateLimit"))
        .startsWith("\"pro\";r=19;");
    assertThat(via(http, "/tier/header", "X-API-Key: h", "X-Tier: vip").field("RateLimit"))
        .startsWith("\"flood\"");
  }

  private void tierByRole(RawHttp http) {
    assertAdmits(2, () -> http.get("/tier/role", "X-User: dan"), "by-role.free");
    assertThat(http.get("/tier/role", "X-User: customer").field("RateLimit"))
        .startsWith("\"by-role.pro\";r=19;");
    assertThat(http.get("/tier/role", "X-User: staff").field("RateLimit-Policy"))
        .doesNotContain("by-role");
  }

  private void tierByKey(RawHttp http) {
    assertAdmits(2, () -> http.get("/tier/key", "X-API-Key: nobody"), "by-key.free");
    assertThat(http.get("/tier/key", "X-API-Key: partner").field("RateLimit"))
        .startsWith("\"by-key.pro\";r=19;");
  }

  private void tierByClass(RawHttp http) {
    assertAdmits(2, () -> http.get("/tier/card", "X-Card: other"), "by-card.free");
    assertThat(http.get("/tier/card", "X-Card: gold-1").field("RateLimit"))
        .startsWith("\"by-card.gold\";r=19;");
    assertThat(
            via(http, "/tier/card", "X-Card: gold-1", "X-Forwarded-For: 198.51.100.8")
                .field("RateLimit"))
        .startsWith("\"by-card.override-1\";r=4;");
  }

  private void degraded(RawHttp http) {
    assertThat(http.get("/pictures").body()).isEqualTo("passed");
    assertThat(http.get("/pictures").body()).startsWith("passed, degraded by pictures");
    assertThat(http.get("/news").body()).isEqualTo("passed");
    assertThat(http.get("/news").body()).startsWith("passed, degraded by news");
  }

  /** It would have denied all but one. */
  private void shadow(RawHttp http) {
    for (int i = 0; i < 3; i++) {
      assertThat(http.get("/api/items", "X-API-Key: shadowed").status()).isEqualTo(200);
    }
    assertThat(Objects.requireNonNull(limiting).status().decisions())
        .filteredOn(decided -> decided.rule().equals("candidate"))
        .extracting(RequestCounts.Decisions::outcome)
        .contains(RuleOutcome.SHADOW_DENIED)
        .doesNotContain(RuleOutcome.DENIED);
  }

  private void delayed(RawHttp http) {
    long startNanos = System.nanoTime();
    together(2, () -> http.get("/export"), () -> {});
    assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isGreaterThan(ofMillis(245));
  }

  private void overloaded(RawHttp http) {
    together(
        2,
        () -> http.get("/wall/slow"),
        () -> {
          awaitBegun(2);
          Answer shed = http.get("/any");
          assertThat(shed.status()).isEqualTo(503);
          assertThat(shed.body()).contains("temporary-reduced-capacity");
          assertThat(http.get("/checkout").status()).isEqualTo(200);
          assertThat(http.get("/health").status()).isEqualTo(200);
          ends.release(2);
        });
    await().until(() -> http.get("/any").status() == 200);
  }

  private void held(RawHttp http) {
    together(
        1,
        () -> http.post("/uploads/slow"),
        () -> {
          awaitBegun(1);
          Answer other = http.post("/uploads/quick");
          assertThat(other.status()).isEqualTo(429);
          assertThat(other.field("RateLimit-Policy")).contains("\"uploads\";q=1;qu=");
          ends.release(1);
        });
    await().until(() -> http.post("/uploads/quick").status() == 200);
  }

  private void awaitBegun(int requests) {
    await().until(() -> begun.tryAcquire(requests));
  }

  /** So many at once, which all pass, and what is done while they are under way. */
  private static void together(int requests, Supplier<Answer> request, Runnable meanwhile) {
    ExecutorService clients = Executors.newFixedThreadPool(requests);
    try {
      List<CompletableFuture<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < requests; i++) {
        answers.add(CompletableFuture.supplyAsync(request, clients));
      }
      meanwhile.run();
      answers.forEach(answer -> assertThat(answer.join().status()).isEqualTo(200));
    } finally {
      clients.shutdownNow();
    }
  }

  private void off(RawHttp http) {
    assertThat(http.get("/any").field("RateLimit-Policy")).doesNotContain("switched-off");
  }

  private void reloaded(RawHttp http) {
    String changed = yaml().replace("pro:     20 per hour", "pro:     30 per hour");
    assertThat(changed).isNotEqualTo(yaml());
    try {
      Files.writeString(file, changed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    await()
        .until(
            () ->
                via(http, "/tier/header", "X-API-Key: live", "X-Tier: pro")
                    .field("RateLimit-Policy")
                    .contains("\"pro\";q=30"));
  }

  private void outage(RawHttp http) {
    assertThat(http.get("/vote").status()).isEqualTo(200);
    redis.close();
    await().until(() -> http.get("/vote").status() == 503);
    Answer local = http.get("/api/items", "X-API-Key: outage");
    assertThat(local.status()).isEqualTo(200);
    assertThat(local.field("RateLimit")).contains(";r=");
  }

  private static void assertAdmits(int permits, Supplier<Answer> request, String limit) {
    for (int i = 0; i < permits; i++) {
      assertThat(request.get().status()).isEqualTo(200);
    }
    Answer denied = request.get();
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.field("RateLimit")).startsWith("\"" + limit + "\";r=0;t=");
  }

  private static Answer via(RawHttp http, String path, String... fields) {
    return http.from(PROXY, "GET", path, fields);
  }
}
