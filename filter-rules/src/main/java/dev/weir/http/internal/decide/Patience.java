package dev.weir.http.internal.decide;

import static java.util.stream.Collectors.toSet;

import dev.weir.http.OnDenial;
import dev.weir.http.internal.client.Addresses;
import dev.weir.store.Counter;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The counters that a request of several rules waits for, and how long it waits. It waits for a
 * counter only if every rule that charges it delays. It waits no longer than the shortest wait of
 * the rules that delay.
 *
 * @param subjects the subjects for which the request takes a place among the waiting requests:
 *     those of the counters that are waited for. The client's address is added if the client chose
 *     one of these, because it could choose another each time
 */
public record Patience(Set<Counter> waitedFor, Duration maxWait, Set<Subject> subjects) {

  /** Returns the patience of the request, or empty when no rule delays. */
  public static Optional<Patience> of(List<RuleCharges> charged) {
    Set<Counter> waitedFor = new HashSet<>();
    List<Duration> waits = new ArrayList<>();
    for (RuleCharges one : charged) {
      if (one.rule().onDenial() instanceof OnDenial.Delay delay) {
        waits.add(delay.maxWait());
        one.charges().stream()
            .filter(charge -> charge.permits() > 0) // no request waits for the end of a ban
            .forEach(charge -> waitedFor.add(charge.counter()));
      }
    }
    for (RuleCharges one : charged) {
      if (!(one.rule().onDenial() instanceof OnDenial.Delay)) {
        waitedFor.removeIf(counter -> one.permitsOf(counter) > 0);
      }
    }
    Set<Subject> subjects = waitedFor.stream().map(Counter::subject).collect(toSet());
    return waits.stream()
        .min(Duration::compareTo)
        .map(maxWait -> new Patience(waitedFor, maxWait, subjects));
  }

  /** Returns the same patience of a client at this address, which takes a place for it too. */
  public Patience ofClientAt(String ip) {
    if (ip.equals(Addresses.NONE)) {
      return this;
    }
    Set<Subject> both = new HashSet<>(subjects);
    both.add(Subject.of("ip", ip));
    return new Patience(waitedFor, maxWait, both);
  }
}
