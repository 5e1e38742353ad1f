package dev.weir.http;

import java.util.List;
import java.util.Objects;

/**
 * What a rule does for some clients and not for others. Immutable and thread-safe. Who is denied is
 * denied, whatever else says otherwise; who is allowed is not limited by the rule.
 *
 * @param denied who is refused, uncounted
 * @param allowed who passes the rule, uncounted
 */
public record ClientPolicy(Clients denied, Clients allowed) {

  /** All clients are equal. */
  public static final ClientPolicy SAME_FOR_ALL = new ClientPolicy(Clients.NOBODY, Clients.NOBODY);

  public ClientPolicy {
    Objects.requireNonNull(denied, "denied");
    Objects.requireNonNull(allowed, "allowed");
  }

  /** The same, where these are refused. */
  public ClientPolicy withDenied(Clients clients) {
    return new ClientPolicy(clients, allowed);
  }

  /** The same, where these pass. */
  public ClientPolicy withAllowed(Clients clients) {
    return new ClientPolicy(denied, clients);
  }

  /** Whether a client's address must be known. */
  boolean needsAddress() {
    return denied.needsAddress() || allowed.needsAddress();
  }

  /** Whether the client of this request is refused. */
  boolean denies(Sighting sighting) {
    return denied.hasAnything(sighting);
  }

  /** Which of the rule's limits hold for the client of this request; none when it is exempt. */
  List<NamedLimit> limits(Rule rule, Sighting sighting) {
    return allowed.has(sighting) ? List.of() : rule.limits();
  }
}
