package dev.weir.config;

import static dev.weir.config.WeirStatus.lower;
import static java.util.stream.Collectors.joining;

import dev.weir.http.OnDenial;
import dev.weir.http.RequestCounts;
import dev.weir.http.Rule;
import dev.weir.http.RuleLimiter;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisStatus;
import dev.weir.redis.RedisStatus.Breaker;
import dev.weir.store.Source;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An engine as JMX shows it. Each attribute reads the current status. */
record ManagedWeir(WeirRuntime runtime) implements WeirMXBean {

  @Override
  public String getVersion() {
    return Version.TEXT;
  }

  @Override
  public String getNode() {
    return runtime.status().node();
  }

  @Override
  public String getApplication() {
    return runtime.settings().counting().redis().map(RedisOptions::application).orElse("");
  }

  @Override
  public boolean isInContainer() {
    return runtime.source().stage() == WeirSource.Stage.CONTAINER;
  }

  // ---------------------------------------------------------------- the store

  @Override
  public String getRedis() {
    return runtime.settings().counting().redis().map(RedisOptions::location).orElse("");
  }

  @Override
  public String getStore() {
    return runtime.status().store().name();
  }

  @Override
  public String getStoreProblem() {
    return runtime.status().redis().stream()
        .flatMap(redis -> redis.primaries().stream())
        .flatMap(each -> each.trouble().stream().map(why -> each.address() + ": " + why))
        .collect(joining("\n"));
  }

  @Override
  public @Nullable Date getStoreSince() {
    return ofRedis(
        redis -> Date.from(runtime.status().events().lastStoreSwitch().orElse(Instant.EPOCH)));
  }

  @Override
  public Map<String, Long> getStoreSwitches() {
    Map<String, Long> switches = new TreeMap<>();
    if (runtime.status().redis().isPresent()) {
      runtime
          .status()
          .events()
          .storeSwitches()
          .forEach((store, count) -> switches.put(lower(store), count));
    }
    return switches;
  }

  @Override
  public Map<String, Long> getPrimaries() {
    Map<String, Long> primaries = new TreeMap<>();
    runtime
        .status()
        .redis()
        .ifPresent(
            redis -> {
              for (Breaker state : Breaker.values()) {
                primaries.put(lower(state), redis.primaries(state));
              }
            });
    return primaries;
  }

  @Override
  public @Nullable Integer getPrimariesOut() {
    return ofRedis(RedisStatus::primariesOut);
  }

  @Override
  public Map<String, Long> getProbes() {
    WeirStatus status = runtime.status();
    return status.redis().isEmpty()
        ? Map.of()
        : byOutcome(status.events().probesSucceeded(), status.events().probesFailed());
  }

  @Override
  public @Nullable Long getCalls() {
    return ofRedis(RedisStatus::calls);
  }

  @Override
  public @Nullable Long getBatches() {
    return ofRedis(RedisStatus::batches);
  }

  @Override
  public @Nullable Integer getCallsWaiting() {
    return ofRedis(RedisStatus::waiting);
  }

  @Override
  public @Nullable Integer getBatchesMax() {
    return ofRedis(RedisStatus::window);
  }

  @Override
  public @Nullable Long getRoundTripMicros() {
    return ofRedis(redis -> TimeUnit.MICROSECONDS.convert(redis.roundTrip()));
  }

  private <T> @Nullable T ofRedis(Function<RedisStatus, T> value) {
    return runtime.status().redis().map(value).orElse(null);
  }

  // ---------------------------------------------------------------- nodes

  @Override
  public int getLiveNodes() {
    return runtime.status().liveNodes();
  }

  @Override
  public int getNodesReckoned() {
    return runtime.status().reckonedNodes();
  }

  @Override
  public @Nullable Integer getNodesLost() {
    return ofRedis(RedisStatus::lostNodes);
  }

  @Override
  public @Nullable Double getClockSkewMillis() {
    return runtime
        .status()
        .redis()
        .flatMap(RedisStatus::clockSkew)
        .map(skew -> skew.toNanos() / 1e6)
        .orElse(null);
  }

  // ---------------------------------------------------------------- requests

  @Override
  public List<String> getRules() {
    return runtime.settings().rules().enabled().stream().map(Rule::name).toList();
  }

  @Override
  public List<String> getLimits() {
    return runtime.settings().rules().enabled().stream()
        .flatMap(ManagedWeir::limits)
        .distinct()
        .toList();
  }

  private static Stream<String> limits(Rule rule) {
    return Stream.concat(
        rule.limits().stream().map(Rule.NamedLimit::name),
        rule.onDenial().ban().stream().map(ban -> OnDenial.Ban.counterName(rule.name())));
  }

  @Override
  public Map<String, Long> getRequests() {
    Map<String, Long> requests = new TreeMap<>();
    runtime.status().counts().requests().forEach((it, count) -> requests.put(lower(it), count));
    return requests;
  }

  @Override
  public Map<String, Map<String, Long>> getDenials() {
    return denials(denials -> !denials.isShadow());
  }

  @Override
  public Map<String, Map<String, Long>> getShadowDenials() {
    return denials(RequestCounts.Denials::isShadow);
  }

  private Map<String, Map<String, Long>> denials(Predicate<RequestCounts.Denials> kind) {
    Map<String, Map<String, Long>> counts = new TreeMap<>();
    Stream<RequestCounts.Denials> usual =
        runtime.activeRules().stream()
            .flatMap(rule -> RequestCounts.Denials.noneYet(rule).stream());
    Stream.concat(usual, runtime.status().counts().denials().stream())
        .filter(kind)
        .forEach(
            denials ->
                counts
                    .computeIfAbsent(denials.rule(), name -> new TreeMap<>())
                    .merge(
                        WeirStatus.limitOf(denials.limit()) + " " + lower(denials.reason()),
                        denials.count(),
                        Long::sum));
    return counts;
  }

  @Override
  public Map<String, List<String>> getTopDenied() {
    Map<String, List<String>> tops = new TreeMap<>();
    runtime
        .status()
        .counts()
        .topDenied()
        .forEach(
            (rule, top) ->
                tops.put(
                    rule,
                    top.stream()
                        .map(one -> "%s %d ±%d".formatted(one.tag(), one.count(), one.error()))
                        .toList()));
    return tops;
  }

  @Override
  public Map<String, Map<String, Long>> getDecisions() {
    WeirStatus status = runtime.status();
    Map<String, Map<String, Long>> counts = new TreeMap<>();
    for (Rule rule : runtime.activeRules()) {
      Map<String, Long> ofRule = counts.computeIfAbsent(rule.name(), name -> new TreeMap<>());
      for (RuleOutcome outcome : WeirStatus.outcomes(rule)) {
        status.usualSources().forEach(source -> ofRule.put(key(outcome, Optional.of(source)), 0L));
      }
    }
    for (RequestCounts.Decisions decisions : status.decisions()) {
      counts
          .computeIfAbsent(decisions.rule(), name -> new TreeMap<>())
          .put(key(decisions.outcome(), decisions.source()), decisions.count());
    }
    return counts;
  }

  private static String key(RuleOutcome outcome, Optional<Source> source) {
    return lower(outcome) + " " + source.map(WeirStatus::lower).orElse("rule");
  }

  @Override
  public Map<String, Long> getAllowed() {
    return counts(RuleOutcome.ALLOWED);
  }

  @Override
  public Map<String, Long> getDenied() {
    return counts(RuleOutcome.DENIED);
  }

  @Override
  public Map<String, Long> getShadowDenied() {
    return counts(RuleOutcome.SHADOW_DENIED);
  }

  @Override
  public Map<String, Long> getBanned() {
    return counts(RuleOutcome.BANNED);
  }

  @Override
  public Map<String, Long> getDelayed() {
    return byRule(runtime.status().counts().delayed());
  }

  @Override
  public boolean isShadow() {
    return runtime.status().areShadows();
  }

  @Override
  public long getShadowShed() {
    return runtime.status().overload().map(RuleLimiter.InFlight::shadowShed).orElse(0L);
  }

  @Override
  public int getWaiting() {
    return runtime.status().waiting();
  }

  private Map<String, Long> counts(RuleOutcome outcome) {
    Map<String, Long> counts = byRule(Map.of());
    for (RequestCounts.Decisions decisions : runtime.status().decisions()) {
      if (decisions.outcome() == outcome) {
        counts.merge(decisions.rule(), decisions.count(), Long::sum);
      }
    }
    return counts;
  }

  /** Returns these counts, and 0 for each rule without one. */
  private Map<String, Long> byRule(Map<String, Long> counted) {
    Map<String, Long> counts = new TreeMap<>();
    runtime.activeRules().forEach(rule -> counts.put(rule.name(), 0L));
    counts.putAll(counted);
    return counts;
  }

  @Override
  public int getInFlight() {
    return runtime.status().overload().map(RuleLimiter.InFlight::inFlight).orElse(0);
  }

  @Override
  public int getMaxInFlight() {
    return runtime.status().overload().map(RuleLimiter.InFlight::number).orElse(0);
  }

  @Override
  public long getShed() {
    return runtime.status().overload().map(RuleLimiter.InFlight::shed).orElse(0L);
  }

  // ---------------------------------------------------------------- counters

  @Override
  public long getLocalCounters() {
    return runtime.status().counters().held();
  }

  @Override
  public int getMaxLocalCounters() {
    return runtime.status().counters().max();
  }

  @Override
  public Map<String, Long> getOverflowed() {
    return new TreeMap<>(runtime.status().counters().overflowed());
  }

  @Override
  public int getLeases() {
    return runtime.status().leases();
  }

  @Override
  public long getPermitsLost() {
    return runtime.status().events().permitsLost();
  }

  @Override
  public Map<String, Long> getRefundsLost() {
    return new TreeMap<>(runtime.status().events().refundsLost());
  }

  @Override
  public long getErrors() {
    return runtime.status().events().errors();
  }

  // ---------------------------------------------------------------- the configuration

  @Override
  public String getSource() {
    return runtime.reloads().loaded().source();
  }

  @Override
  public Date getLoadedAt() {
    return Date.from(runtime.reloads().loaded().at());
  }

  @Override
  public boolean isReloadFailing() {
    return runtime.reloads().loaded().problem().isPresent();
  }

  @Override
  public String getReloadProblem() {
    return runtime.reloads().loaded().problem().orElse("");
  }

  @Override
  public Map<String, Long> getConfigReloads() {
    WeirStatus.Loaded loaded = runtime.reloads().loaded();
    return byOutcome(loaded.reloads(), loaded.failedReloads());
  }

  private static Map<String, Long> byOutcome(long succeeded, long failed) {
    return Map.of("succeeded", succeeded, "failed", failed);
  }

  /** Reloads, and reports a failure as an exception that every console knows. */
  @Override
  public void reload() {
    try {
      runtime.reloads().byHand();
    } catch (ConfigurationException refused) {
      throw new IllegalStateException(refused.getMessage());
    }
  }
}
