package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.config.ConfigurationException.Problem;
import dev.weir.config.internal.document.Variables;
import dev.weir.http.FakeRequest;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.RequestLimiter;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Filter and provider of one application share one Weir, whichever comes first. */
class SharingTest {

  private static final String YAML =
      """
      limits: { all: 3 per minute }
      rules: [{ name: all, match: /**, limits: all }]
      """;

  private static final Variables NO_CLASS =
      FakeVariables.failing(new NoClassDefFoundError("a class of the user's"));
  private static final RuleReference BROKEN = RuleReference.of("A.b", "${BROKEN}");

  private final ClassLoader application = Weirs.application();

  @Test
  void the_same_configuration_in_one_application_is_shared() {
    try (Weir filter = Weir.open(Weirs.webInf(YAML, application));
        Weir provider = Weir.open(Weirs.webInf(YAML, application))) {
      assertThat(provider.limiter()).isSameAs(filter.limiter());
      assertThat(Weirs.passing(filter, 2, () -> FakeRequest.get("/a"))).isEqualTo(2);
      assertThat(Weirs.passing(provider, 2, () -> FakeRequest.get("/a"))).isEqualTo(1);
    }
  }

  @Test
  void another_application_has_its_own() {
    try (Weir one = Weir.open(Weirs.webInf(YAML, application));
        Weir other = Weir.open(Weirs.webInf(YAML, Weirs.application()))) {
      assertThat(other.limiter()).isNotSameAs(one.limiter());
    }
  }

  @Test
  void two_filters_with_rules_of_their_own_both_work() {
    try (Weir one = Weir.open(source("one", Map.of("limit", "1 per hour", "match", "/one")));
        Weir two = Weir.open(source("two", Map.of("limit", "2 per hour", "match", "/two")))) {
      assertThat(Weirs.passing(one, 5, () -> FakeRequest.get("/one"))).isEqualTo(1);
      assertThat(Weirs.passing(two, 5, () -> FakeRequest.get("/two"))).isEqualTo(2);
      assertThat(one.rules().get(0).name()).isEqualTo("one");
      assertThat(two.rules().get(0).name()).isEqualTo("two");
    }
  }

  private WeirSource source(String owner, Map<String, String> params) {
    return new WeirSource(owner, params, WeirSource.Resources.NONE, application);
  }

  @Test
  void the_last_to_close_stops_it() {
    Weir filter = Weir.open(Weirs.webInf(YAML, application));
    Weir provider = Weir.open(Weirs.webInf(YAML, application));
    RequestLimiter limiter = filter.limiter();
    filter.close();
    filter.close();
    assertThat(limiter.limit(FakeRequest.get("/a"))).isInstanceOf(Outcome.Passed.class);
    provider.close();
    assertThat(limiter.limit(FakeRequest.get("/a")))
        .as("a closed store decides nothing")
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, rejected -> assertThat(rejected.status()).isEqualTo(503));
    try (Weir again = Weir.open(Weirs.webInf(YAML, application))) {
      assertThat(again.limiter()).isNotSameAs(limiter);
    }
  }

  @Test
  void an_engine_keeps_no_user_that_was_dropped_without_being_closed() {
    Registry registry = new Registry(FakeVariables.EMPTY);
    WeirSource source = source("with a dropped user", Map.of("limit", "3 per minute"));
    try (Weir kept = registry.open(source)) {
      WeakReference<Weir> dropped = new WeakReference<>(registry.open(source));
      await()
          .untilAsserted(
              () -> {
                System.gc();
                assertThat(dropped.get()).isNull();
              });
      assertThat(Weirs.passes(kept, FakeRequest.get("/"))).isTrue();
    }
  }

  @Test
  void what_is_closed_says_so() {
    Weir weir = Weir.open(Weirs.webInf(YAML, application));
    weir.close();
    assertThatThrownBy(weir::limiter)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> weir.bind(RuleReference.of("A.b", "all")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_provider_after_its_filter_joins_it() {
    try (Weir filter = Weir.open(source("filter", Map.of("limit", "3 per minute")));
        Weir provider = Weir.join(source("provider", Map.of()))) {
      assertThat(provider.limiter()).isSameAs(filter.limiter());
    }
  }

  @Test
  void a_provider_before_its_filter_joins_it() {
    try (Weir provider = Weir.join(source("provider", Map.of()))) {
      RuleReference bound = RuleReference.of("Orders.list", "filter");
      provider.bind(bound);
      assertThatThrownBy(provider::limiter).isInstanceOf(ConfigurationException.class);
      assertThatThrownBy(() -> provider.rules(bound)).isInstanceOf(ConfigurationException.class);
      try (Weir filter = Weir.open(source("filter", Map.of("limit", "3 per minute")))) {
        assertThat(provider.limiter()).isSameAs(filter.limiter());
        assertThat(provider.rules(bound)).isEqualTo(filter.rules());
      }
      assertThat(Weirs.passes(provider, FakeRequest.get("/a")))
          .as("the provider keeps running what the filter has closed")
          .isTrue();
    }
  }

  @Test
  void a_configuration_that_one_of_two_providers_refuses_is_joined_by_neither() {
    WeirSource filters = source("filter", Map.of("limit", "3 per minute"));
    try (Weir first = Weir.join(source("first", Map.of()))) {
      RuleReference bound = RuleReference.of("Orders.list", "filter");
      first.bind(bound);
      try (Weir second = Weir.join(source("second", Map.of()))) {
        second.bind(RuleReference.of("Orders.add", "missing"));
        assertThatThrownBy(() -> Weir.open(filters)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(first::limiter).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> first.rules(bound)).isInstanceOf(ConfigurationException.class);
      }
      try (Weir filter = Weir.open(filters)) {
        assertThat(first.limiter()).isSameAs(filter.limiter());
        assertThat(first.rules(bound)).isEqualTo(filter.rules());
      }
    }
  }

  @Test
  void an_error_of_one_that_waits_leaves_no_engine_running() {
    Registry registry = new Registry(NO_CLASS);
    try (Weir provider = registry.join(source("provider", Map.of()))) {
      provider.bind(BROKEN);
      WeirSource filters = source("filter", Map.of("limit", "3 per minute"));
      assertThatThrownBy(() -> registry.open(filters)).isInstanceOf(NoClassDefFoundError.class);
      assertThat(registry.first(application)).isEmpty();
    }
  }

  @Test
  void an_error_of_one_that_comes_late_keeps_no_engine() {
    Registry registry = new Registry(NO_CLASS);
    Weir late = new Weir(registry, application, () -> new ConfigurationException(List.of()));
    late.bind(BROKEN);
    try (Weir filter = registry.open(source("filter", Map.of("limit", "3 per minute")))) {
      assertThat(Weirs.passes(filter, FakeRequest.get("/"))).isTrue();
      assertThatThrownBy(() -> registry.await(application, late))
          .isInstanceOf(NoClassDefFoundError.class);
    }
    assertThat(registry.first(application)).isEmpty();
  }

  @Test
  void a_reference_that_was_never_bound_is_refused() {
    try (Weir weir = Weir.open(Weirs.webInf(YAML, application))) {
      assertThatThrownBy(() -> weir.rules(RuleReference.of("A.b", "all")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("not bound");
    }
  }

  @Test
  void both_find_the_same_file_in_either_order() {
    try (Weir provider = Weir.join(Weirs.webInf(YAML, application));
        Weir filter = Weir.open(Weirs.webInf(YAML, application));
        Weir late = Weir.join(Weirs.webInf(YAML, application))) {
      assertThat(List.of(provider.limiter(), late.limiter())).containsOnly(filter.limiter());
    }
  }

  @Test
  void a_filter_cannot_start_without_what_an_annotation_noted() {
    Weir provider = Weir.join(source("provider", Map.of()));
    provider.bind(RuleReference.of("Orders.list", "filtr"));
    Problem problem =
        Complaints.only(() -> Weir.open(source("filter", Map.of("limit", "3 per minute"))));
    assertThat(problem.file()).isEqualTo("Orders.list");
    assertThat(problem.suggestion()).contains("filter");
    assertThatThrownBy(provider::limiter)
        .as("what could not start does not run")
        .isInstanceOf(ConfigurationException.class);
    provider.close();
    try (Weir filter = Weir.open(source("filter", Map.of("limit", "3 per minute")))) {
      assertThat(Weirs.passes(filter, FakeRequest.get("/"))).isTrue();
    }
  }

  @Test
  void who_has_closed_waits_no_longer() {
    Weir provider = Weir.join(source("provider", Map.of()));
    provider.close();
    Weir filter = Weir.open(source("filter", Map.of("limit", "3 per minute")));
    RequestLimiter limiter = filter.limiter();
    filter.close();
    assertThat(limiter.limit(FakeRequest.get("/"))).isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void what_cannot_start_leaves_nothing_behind() {
    Registry registry = new Registry(FakeVariables.EMPTY);
    assertThat(Complaints.of(() -> registry.open(source("f", Map.of("limit", "x"))))).isNotEmpty();
    assertThat(registry.first(application)).isEmpty();
  }

  @Test
  void racing_openers_share_one_and_leave_none() throws Exception {
    Registry registry = new Registry(FakeVariables.EMPTY);
    WeirSource source = Weirs.webInf(YAML, application);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      Callable<Boolean> openTwice =
          () -> {
            boolean same = true;
            for (int i = 0; i < 50; i++) {
              try (Weir one = registry.open(source);
                  Weir other = registry.join(source)) {
                same &= one.limiter() == other.limiter();
              }
            }
            return same;
          };
      for (Future<Boolean> shared : threads.invokeAll(List.of(openTwice, openTwice, openTwice))) {
        assertThat(shared.get()).isTrue();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(registry.first(application)).isEmpty();
  }
}
