package dev.weir.demo;

import dev.weir.config.WeirStatus;
import dev.weir.http.RequestCounts.Decisions;
import dev.weir.http.RequestCounts.TopDenied;
import dev.weir.http.Rule;
import dev.weir.redis.RedisStatus;
import dev.weir.redis.RedisStatus.Breaker;
import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObjectBuilder;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A writer of a node's status and rules as JSON. They contain no subject, so no API key. */
final class StatusJson {

  private StatusJson() {}

  static JsonObjectBuilder of(WeirStatus status, List<Rule> rules) {
    JsonObjectBuilder json = Json.createObjectBuilder();
    roundTrip(status).ifPresent(millis -> json.add("roundTripMillis", millis));
    status.overload().ifPresent(overload -> json.add("inFlight", overload.inFlight()));
    return json.add("node", status.node())
        .add("config", status.loaded().source())
        .add("store", status.store().name())
        .add("breaker", status.redis().map(StatusJson::breaker).orElse("NONE"))
        .add("liveNodes", status.liveNodes())
        .add("waiting", status.waiting())
        .add("rules", rules(rules))
        .add("decisions", decisions(status))
        .add("delayed", delayed(status))
        .add("topDenied", topDenied(status));
  }

  /** Returns the worst state among several primaries; open while none has been found. */
  private static String breaker(RedisStatus redis) {
    List<Breaker> breakers = redis.primaries().stream().map(RedisStatus.Primary::breaker).toList();
    return Stream.of(Breaker.OPEN, Breaker.HALF_OPEN, Breaker.CLOSED)
        .filter(breakers::contains)
        .findFirst()
        .orElse(Breaker.OPEN)
        .name();
  }

  /** Returns the longest of the round trips to the primaries; empty while none is connected. */
  private static Optional<Double> roundTrip(WeirStatus status) {
    return status.redis().stream()
        .flatMap(redis -> redis.primaries().stream())
        .flatMap(primary -> primary.roundTrip().stream())
        .max(Comparator.naturalOrder())
        .map(longest -> longest.toNanos() / 1e6);
  }

  private static JsonArrayBuilder rules(List<Rule> rules) {
    JsonArrayBuilder array = Json.createArrayBuilder();
    for (Rule rule : rules) {
      array.add(
          Json.createObjectBuilder()
              .add("name", rule.name())
              .add("limits", limits(rule))
              .add("subject", rule.subject().toString())
              .add("shadow", rule.isShadow()));
    }
    return array;
  }

  private static String limits(Rule rule) {
    return rule.limits().stream()
        .map(limit -> limit.limit().toString())
        .collect(Collectors.joining("; "));
  }

  private static JsonArrayBuilder decisions(WeirStatus status) {
    JsonArrayBuilder decisions = Json.createArrayBuilder();
    for (Decisions counted : status.decisions()) {
      decisions.add(
          Json.createObjectBuilder()
              .add("rule", counted.rule())
              .add("outcome", counted.outcome().name())
              .add("source", counted.source().map(Enum::name).orElse("RULE"))
              .add("count", counted.count()));
    }
    return decisions;
  }

  private static JsonObjectBuilder delayed(WeirStatus status) {
    JsonObjectBuilder delayed = Json.createObjectBuilder();
    status.counts().delayed().forEach(delayed::add);
    return delayed;
  }

  /** Returns the tags of the subjects with the most denials of late, by rule. */
  private static JsonObjectBuilder topDenied(WeirStatus status) {
    JsonObjectBuilder rules = Json.createObjectBuilder();
    status
        .counts()
        .topDenied()
        .forEach(
            (rule, subjects) -> {
              JsonArrayBuilder array = Json.createArrayBuilder();
              for (TopDenied subject : subjects) {
                array.add(
                    Json.createObjectBuilder()
                        .add("tag", subject.tag())
                        .add("count", subject.count())
                        .add("error", subject.error()));
              }
              rules.add(rule, array);
            });
    return rules;
  }
}
