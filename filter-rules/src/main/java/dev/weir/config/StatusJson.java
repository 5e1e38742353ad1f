package dev.weir.config;

import static dev.weir.config.WeirStatus.lower;
import static java.util.stream.Collectors.toMap;

import dev.weir.http.RequestCounts.Decisions;
import dev.weir.http.RequestCounts.Denials;
import dev.weir.http.RequestCounts.TopDenied;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.RuleLimiter.InFlight;
import dev.weir.redis.RedisStatus;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A writer of a status and its rules as JSON. Constants are in lower case, as in metrics. What is
 * unknown or not configured has no member.
 */
final class StatusJson {

  private StatusJson() {}

  static String of(WeirStatus status, Collection<Rule> rules) {
    JsonObject json = new JsonObject().add("version", status.version());
    status.application().ifPresent(application -> json.add("application", application));
    json.add("node", status.node()).add("store", lower(status.store()));
    status.events().lastStoreSwitch().ifPresent(at -> json.add("storeSince", at.toString()));
    json.add("configuration", configuration(status.loaded()))
        .add("shadow", status.areShadows())
        .add("nodes", nodes(status));
    status.redis().ifPresent(redis -> json.add("redis", redis(redis)));
    json.add("requests", byName(status.counts().requests())).add("waiting", status.waiting());
    status.overload().ifPresent(overload -> json.add("overload", overload(overload)));
    return json.add("rules", rules.stream().map(StatusJson::rule).toList())
        .add("decisions", status.decisions().stream().map(StatusJson::decisions).toList())
        .add("denials", status.counts().denials().stream().map(StatusJson::denials).toList())
        .add("delayed", new TreeMap<>(status.counts().delayed()))
        .add("topDenied", topDenied(status.counts().topDenied()))
        .add("counters", counters(status.counters()))
        .add("leases", status.leases())
        .add("events", events(status.events()))
        .toString();
  }

  private static JsonObject configuration(WeirStatus.Loaded loaded) {
    JsonObject json =
        new JsonObject()
            .add("source", loaded.source())
            .add("loadedAt", loaded.at().toString())
            .add("reloads", loaded.reloads())
            .add("failedReloads", loaded.failedReloads());
    loaded.problem().ifPresent(problem -> json.add("problem", problem));
    return json;
  }

  private static JsonObject nodes(WeirStatus status) {
    JsonObject json =
        new JsonObject().add("live", status.liveNodes()).add("reckoned", status.reckonedNodes());
    status.redis().ifPresent(redis -> json.add("lost", redis.lostNodes()));
    return json;
  }

  private static JsonObject redis(RedisStatus redis) {
    JsonObject json =
        new JsonObject()
            .add("primariesOut", redis.primariesOut())
            .add("primaries", redis.primaries().stream().map(StatusJson::primary).toList())
            .add("batches", redis.batches())
            .add("calls", redis.calls());
    redis.clockSkew().ifPresent(skew -> json.addSeconds("clockSkewSeconds", skew));
    return json;
  }

  private static JsonObject primary(RedisStatus.Primary primary) {
    JsonObject json =
        new JsonObject()
            .add("address", primary.address())
            .add("breaker", lower(primary.breaker()))
            .add("batchesMax", primary.window())
            .add("callsWaiting", primary.waiting());
    primary.roundTrip().ifPresent(shortest -> json.addSeconds("roundTripSeconds", shortest));
    primary.trouble().ifPresent(why -> json.add("problem", why));
    return json;
  }

  private static JsonObject overload(InFlight overload) {
    return new JsonObject()
        .add("active", overload.inFlight())
        .add("max", overload.number())
        .add("shed", overload.shed())
        .add("shadowShed", overload.shadowShed());
  }

  private static JsonObject rule(Rule rule) {
    return new JsonObject()
        .add("name", rule.name())
        .add("subject", rule.subject().toString())
        .add("limits", rule.limits().stream().map(StatusJson::limit).toList())
        .add("shadow", rule.isShadow());
  }

  private static JsonObject limit(NamedLimit limit) {
    return new JsonObject().add("name", limit.name()).add("limit", limit.limit().toString());
  }

  private static JsonObject decisions(Decisions decisions) {
    return new JsonObject()
        .add("rule", decisions.rule())
        .add("outcome", lower(decisions.outcome()))
        .add("source", decisions.source().map(WeirStatus::lower).orElse("rule"))
        .add("count", decisions.count());
  }

  private static JsonObject denials(Denials denials) {
    return new JsonObject()
        .add("rule", denials.rule())
        .add("limit", WeirStatus.limitOf(denials.limit()))
        .add("reason", lower(denials.reason()))
        .add("shadow", denials.isShadow())
        .add("count", denials.count());
  }

  private static JsonObject topDenied(Map<String, List<TopDenied>> byRule) {
    JsonObject json = new JsonObject();
    new TreeMap<>(byRule)
        .forEach((rule, top) -> json.add(rule, top.stream().map(StatusJson::topDenied).toList()));
    return json;
  }

  private static JsonObject topDenied(TopDenied top) {
    return new JsonObject()
        .add("tag", top.tag())
        .add("count", top.count())
        .add("error", top.error());
  }

  private static JsonObject counters(WeirStatus.Counters counters) {
    return new JsonObject()
        .add("local", counters.held())
        .add("max", counters.max())
        .add("overflowed", new TreeMap<>(counters.overflowed()));
  }

  private static JsonObject events(WeirStatus.Events events) {
    return new JsonObject()
        .add("storeSwitches", byName(events.storeSwitches()))
        .add("probesSucceeded", events.probesSucceeded())
        .add("probesFailed", events.probesFailed())
        .add("permitsLost", events.permitsLost())
        .add("refundsLost", new TreeMap<>(events.refundsLost()))
        .add("errors", events.errors());
  }

  private static Map<String, Long> byName(Map<? extends Enum<?>, Long> counts) {
    return counts.entrySet().stream()
        .collect(toMap(it -> lower(it.getKey()), Map.Entry::getValue, Long::sum, TreeMap::new));
  }
}
