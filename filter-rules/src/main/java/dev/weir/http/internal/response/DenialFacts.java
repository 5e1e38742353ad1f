package dev.weir.http.internal.response;

import dev.weir.http.RequestView;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.store.Decision;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a denial tells the client.
 *
 * @param seconds until a retry can succeed; empty where none can
 * @param limit that denies; empty where nothing was counted
 * @param rule that denies; empty where the node had no room
 */
record DenialFacts(OptionalLong seconds, Optional<String> limit, Optional<String> rule) {

  static DenialFacts of(Decision decision, Optional<String> rule) {
    return new DenialFacts(
        decision.retryAfter().stream()
            .mapToLong(time -> Math.max(1, QuotaPolicy.roundedUp(time)))
            .findFirst(),
        decision instanceof Decision.Counted counted
            ? Optional.of(counted.binding().counter().name())
            : Optional.empty(),
        rule);
  }

  Optional<String> value(TextTemplate.Name name) {
    return switch (name) {
      case SECONDS -> seconds.stream().mapToObj(Long::toString).findFirst();
      case LIMIT -> limit;
      case RULE -> rule;
    };
  }

  /** Keeps them on the request, for pages of the application and logs of the container. */
  void keepOn(RequestView request) {
    seconds.ifPresent(number -> request.logAttribute(RequestLimiter.DENIED_SECONDS, number));
    limit.ifPresent(name -> request.logAttribute(RequestLimiter.DENIED_LIMIT, name));
    rule.ifPresent(name -> request.logAttribute(RequestLimiter.DENIED_RULE, name));
  }
}
