package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.config.WeirStatus.Counters;
import dev.weir.config.WeirStatus.Events;
import dev.weir.config.WeirStatus.Loaded;
import dev.weir.http.FakeRequest;
import dev.weir.http.RequestCounts;
import dev.weir.http.RequestCounts.Decisions;
import dev.weir.http.RequestCounts.Denials;
import dev.weir.http.RequestCounts.Outcome;
import dev.weir.http.RequestCounts.Reason;
import dev.weir.http.RequestCounts.TopDenied;
import dev.weir.http.RuleLimiter.InFlight;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.redis.RedisStatus;
import dev.weir.redis.RedisStatus.Breaker;
import dev.weir.redis.RedisStatus.Primary;
import dev.weir.store.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whatever a status holds, its page is well-formed, and shows no key and no password. */
class StatusSecretsTest {

  private static final int STATES = 10_000;
  private static final String PASSWORD = "hunter2-S3cr3t";

  private static final String RULES =
      """
      rules:
        - { name: keys, match: /**, subject: header:X-API-Key, missing: ip, limits: [1 per hour] }
        - { name: trial, match: /**, subject: ip, limits: [1 per hour], on-denial: shadow }
        - { name: forms, match: /**, subject: 'query:user', missing: shared, limits: [1 concurrent] }
      """;

  /** Texts that a file name, a reason of Redis or a name may have. */
  private static final List<String> TEXTS =
      List.of(
          "redis://shop:" + PASSWORD + "@cache:6379/0",
          "rediss://:" + PASSWORD + "@cache",
          "ERR at redis://" + PASSWORD + "@cache: no such host",
          "shop:" + PASSWORD + "@cache:6379",
          "a \"quoted\" name",
          "back\\slash\\n",
          "two\nlines\r\nor three\t",
          "\u0000\u001b[31m\u007f\u2028",
          "half a pair \ud83d",
          "\ud83d\ude00 ünïcode",
          "} 1\n# TYPE weir_errors_total gauge\nweir_errors_total 7",
          "\",\"admin\":true,\"",
          "");

  private static final Pattern SAMPLE =
      Pattern.compile(
          "weir_[a-z_]+(\\{[a-z]+=\"([^\"\\\\\n]|\\\\[\\\\n\"])*\"(,[a-z]+=\"([^\"\\\\\n]|\\\\[\\\\n\"])*\")*})?"
              + " (NaN|-?[0-9][0-9.E-]*)");
  private static final Pattern COMMENT =
      Pattern.compile("# (HELP weir_[a-z_]+ .+|TYPE weir_[a-z_]+ (counter|gauge))");

  private final Random random = new Random(20_261_129);
  private final ObjectMapper json = new ObjectMapper();

  @Test
  void no_state_spoils_the_page_or_shows_a_password() throws Exception {
    try (Weir weir = Weir.of(RULES)) {
      for (int i = 0; i < STATES; i++) {
        WeirStatus status = status();
        String asJson = StatusJson.of(status, weir.activeRules());
        assertThat(json.readTree(asJson).get("node").isTextual()).isTrue();
        assertThat(asJson).doesNotContain(PASSWORD);
        String text = PrometheusText.of(StatusMetrics.of(status, weir.activeRules()), status);
        assertThat(text).doesNotContain(PASSWORD).doesNotContain("weir_errors_total 7\n");
        assertThat(text.split("\n", -1))
            .allMatch(
                line ->
                    line.isEmpty()
                        || SAMPLE.matcher(line).matches()
                        || COMMENT.matcher(line).matches());
      }
    }
  }

  @Test
  void no_state_of_a_node_shows_a_key_or_an_address() {
    try (Weir weir = Weir.of(RULES)) {
      for (int i = 0; i < STATES; i++) {
        String key = "key-" + Long.toHexString(random.nextLong());
        String address = "10." + random.nextInt(256) + "." + random.nextInt(256) + ".7";
        String user = "user-" + Long.toHexString(random.nextLong());
        for (int times = random.nextInt(3); times >= 0; times--) {
          FakeRequest request =
              FakeRequest.get("/" + key).from(address).header("X-API-Key", key).query("user", user);
          weir.limiters().apply(request).limit(request);
        }
        WeirStatus status = weir.status();
        assertThat(
                StatusJson.of(status, weir.activeRules())
                    + PrometheusText.of(weir.metrics(), status))
            .doesNotContain(key)
            .doesNotContain(address)
            .doesNotContain(user);
      }
    }
  }

  private WeirStatus status() {
    return new WeirStatus(
        text(),
        maybe(this::text),
        text(),
        any(Source.values()),
        maybe(this::redis),
        random.nextInt(9),
        random.nextInt(9),
        new Loaded(text(), at(), maybe(this::text), random.nextInt(), random.nextInt()),
        random.nextBoolean(),
        counts(),
        random.nextInt(),
        new Counters(random.nextLong(), random.nextInt(), numbers()),
        random.nextInt(),
        new Events(
            Map.of(Source.LOCAL, random.nextLong()),
            maybe(this::at),
            random.nextLong(),
            random.nextLong(),
            random.nextLong(),
            numbers(),
            random.nextLong()),
        maybe(() -> new InFlight(random.nextInt(9), random.nextInt(9), random.nextLong(), 0)));
  }

  private RedisStatus redis() {
    return new RedisStatus(
        some(
            () ->
                new Primary(
                    text(),
                    any(Breaker.values()),
                    maybe(this::text),
                    random.nextInt(9),
                    random.nextInt(9),
                    maybe(this::duration))),
        random.nextLong(),
        random.nextLong(),
        1,
        0,
        maybe(this::duration));
  }

  private RequestCounts counts() {
    Map<Outcome, Long> requests = new EnumMap<>(Outcome.class);
    requests.put(any(Outcome.values()), random.nextLong());
    return new RequestCounts(
        requests,
        some(
            () ->
                new Decisions(
                    name(),
                    any(RuleOutcome.values()),
                    maybe(() -> any(Source.values())),
                    random.nextLong())),
        some(
            () ->
                new Denials(
                    name(),
                    any("-", name()),
                    any(Reason.values()),
                    random.nextBoolean(),
                    random.nextLong())),
        numbers(),
        Map.of(name(), some(() -> new TopDenied("qi5qGIxy", random.nextLong(), 0))));
  }

  private Map<String, Long> numbers() {
    Map<String, Long> numbers = new TreeMap<>();
    some(this::name).forEach(name -> numbers.put(name, random.nextLong()));
    return numbers;
  }

  /** A file may name a rule so: without quotes, backslashes, braces and controls. */
  private String name() {
    return any("login", "trial", "Größe & more", "日本語", "a b");
  }

  private String text() {
    return TEXTS.get(random.nextInt(TEXTS.size()))
        + any("", TEXTS.get(random.nextInt(TEXTS.size())));
  }

  private Instant at() {
    return Instant.ofEpochMilli(random.nextInt());
  }

  private Duration duration() {
    return Duration.ofNanos(random.nextInt());
  }

  private <T> Optional<T> maybe(Supplier<T> value) {
    return random.nextBoolean() ? Optional.of(value.get()) : Optional.empty();
  }

  private <T> List<T> some(Supplier<T> value) {
    return IntStream.range(0, random.nextInt(4)).mapToObj(i -> value.get()).toList();
  }

  @SafeVarargs
  private <T> T any(T... values) {
    return values[random.nextInt(values.length)];
  }
}
