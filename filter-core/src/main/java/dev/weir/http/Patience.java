package dev.weir.http;

import dev.weir.Ask;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Hold;
import dev.weir.Subject;
import dev.weir.Waits;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * What a request that several rules apply to waits for, and how long: for counters that no rule
 * charges that only rejects, and no longer than the least patient of the rules that delay allows.
 */
record Patience(Set<Counter> waitedFor, Duration maxWait) {

  /** Empty when no rule delays. */
  static Optional<Patience> of(List<RuleCharges> charged) {
    Optional<Duration> least = Optional.empty();
    for (RuleCharges one : charged) {
      if (one.rule().handling().onDenial() instanceof OnDenial.Delay delay) {
        Duration maxWait = delay.maxWait();
        least = least.filter(known -> known.compareTo(maxWait) <= 0).or(() -> Optional.of(maxWait));
      }
    }
    return least.map(time -> new Patience(waitedFor(charged), time));
  }

  private static Optional<Duration> maxWait(Rule rule) {
    return rule.handling().onDenial() instanceof OnDenial.Delay delay
        ? Optional.of(delay.maxWait())
        : Optional.empty();
  }

  private static Set<Counter> waitedFor(List<RuleCharges> charged) {
    Set<Counter> waitedFor = new HashSet<>();
    charged.stream()
        .filter(one -> maxWait(one.rule()).isPresent())
        .forEach(one -> add(one, waitedFor));
    charged.stream()
        .filter(one -> maxWait(one.rule()).isEmpty())
        .forEach(one -> waitedFor.removeIf(counter -> one.permitsOf(counter) > 0));
    return waitedFor;
  }

  private static void add(RuleCharges charged, Set<Counter> counters) {
    charged.charges().stream().map(Charge::counter).forEach(counters::add);
  }

  /** The subjects whose counters are waited for. */
  Set<Subject> subjects() {
    return waitedFor.stream().map(Counter::subject).collect(Collectors.toUnmodifiableSet());
  }

  CompletableFuture<Hold> wait(Waits waits, Ask ask) {
    return waits.decide(ask, waitedFor, maxWait);
  }

  /** The same of somebody who has no time. */
  Patience none() {
    return new Patience(waitedFor, Duration.ZERO);
  }
}
