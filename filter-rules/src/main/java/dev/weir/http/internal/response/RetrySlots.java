package dev.weir.http.internal.response;

import dev.weir.http.internal.client.Addresses;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The retry times for the clients that one counter has denied. All of them request the same number
 * of permits.
 *
 * <p>Model. A counter serves a number of requests in each span of time, by its {@link ServiceRate}.
 * The first span begins when the first denied request would fit. The other spans follow one
 * another. A client receives the first possible instant: a whole number of seconds from now, no
 * earlier than its exact wait, in a span with room. It keeps that instant. If it retries before,
 * the rest of its wait is returned, and it takes no further room. So a client that retries too
 * early delays the others by only one request.
 *
 * <p>The spans are computed anew, and all instants are forgotten, when all instants have passed, or
 * when the spans are out of date. They are out of date if a request would fit more than a second
 * before the first span. They also are if the counter serves twice as fast. This happens after a
 * reset, a refund, or a hang. Estimates and latency cause only smaller differences.
 *
 * <p>Clients without a known address cannot be distinguished. Each of their denials counts as a new
 * client.
 *
 * <p>Invariant. No client receives less than its exact wait. The first client receives no more than
 * that, rounded up to a second. No span has more clients than the counter serves in it. There are
 * two exceptions: clients that find no room within five minutes, or within one span if that is
 * longer, and clients beyond {@value #MOST_CLIENTS}. They are spread evenly by their addresses, and
 * not remembered.
 *
 * <p>Example. A limit allows 2 per second. Nothing is left at 0 s, and the next permit is due at
 * 0.5 s. The spans begin at 0.5 s and last a second. Each has 2 requests, the second of them half a
 * second after the first. Five clients are denied at 0 s, and receive 1, 1, 2, 2 and 3 seconds. If
 * the first of them retries at 0.7 s, it receives the rest of its second.
 *
 * <p>Thread-safe.
 */
public final class RetrySlots {

  static final int MOST_CLIENTS = 1_000;

  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long LONGEST_SECONDS = 300;

  /**
   * The instant of each client, measured from the start of the first span. All times in this class
   * are measured so, except those that are passed in and out.
   */
  private final Map<String, Long> instants = new HashMap<>();

  private final Map<Long, Integer> taken = new HashMap<>();

  /** The first span that may have room. The spans before it are full. */
  private long firstWithRoom;

  private long unknownClients;

  private @Nullable ServiceRate rate;
  private long beginNanos;
  private long lastNanos;
  private long prunedNanos;

  /**
   * Returns the wait for this client.
   *
   * @param latest how fast the counter serves; used to compute spans when no client is due to
   *     return
   * @param exactNanos when the request would fit, if no other took the permits; more than zero
   * @return at least that
   */
  public synchronized long nanosFor(
      String client, ServiceRate latest, long exactNanos, long nowNanos) {
    ServiceRate known = rate(latest, exactNanos, nowNanos);
    long sinceNanos = nowNanos - beginNanos;
    String key = client.equals(Addresses.NONE) ? client + unknownClients++ : client;
    @Nullable Long instant = instants.get(key);
    if (instant != null && instant - sinceNanos >= exactNanos) {
      return instant - sinceNanos;
    }
    long seconds = Math.max(QuotaPolicy.roundedUp(exactNanos), QuotaPolicy.roundedUp(-sinceNanos));
    double roomNanos = firstWithRoom * known.spanNanos() - sinceNanos;
    long most = seconds + Math.max(LONGEST_SECONDS, seconds(known.spanNanos()));
    seconds = Math.max(seconds, seconds(roomNanos));
    while (instants.size() < MOST_CLIENTS && seconds <= most) {
      long next = sinceNanos + seconds * SECOND_NANOS;
      long span = span(known, next);
      double freeNanos = freeNanos(known, span);
      if (next >= freeNanos) {
        take(key, next, known, span);
        return seconds * SECOND_NANOS;
      }
      seconds = Math.max(seconds + 1, seconds(freeNanos - sinceNanos));
    }
    return exactNanos + overflow(key, known) * SECOND_NANOS;
  }

  /** Returns the time from which the span has room, or else the start of the next span. */
  private double freeNanos(ServiceRate known, long span) {
    int before = taken.getOrDefault(span, 0);
    double startNanos = span * known.spanNanos();
    return before < known.requests()
        ? startNanos + before * known.stepNanos()
        : startNanos + known.spanNanos();
  }

  private void take(String client, long instant, ServiceRate known, long span) {
    instants.put(client, instant);
    taken.merge(span, 1, Integer::sum);
    while (taken.getOrDefault(firstWithRoom, 0) >= known.requests()) {
      firstWithRoom++;
    }
    lastNanos = Math.max(lastNanos, instant);
  }

  /**
   * Returns a delay for a client that is not remembered. The delays are spread over the time in
   * which the counter serves the remembered clients.
   */
  private static long overflow(String client, ServiceRate known) {
    double servingNanos = MOST_CLIENTS * known.spanNanos() / known.requests();
    long over = Math.max(1, Math.min(LONGEST_SECONDS, seconds(servingNanos)));
    return Math.floorMod(client.hashCode() * 0x9E3779B9, (int) over);
  }

  private ServiceRate rate(ServiceRate latest, long exactNanos, long nowNanos) {
    ServiceRate known = rate;
    if (known == null
        || nowNanos - beginNanos >= lastNanos
        || beginNanos - (nowNanos + exactNanos) > SECOND_NANOS
        || 2 * latest.spanNanos() / latest.requests() <= known.spanNanos() / known.requests()) {
      instants.clear();
      taken.clear();
      firstWithRoom = 0;
      rate = latest;
      beginNanos = nowNanos + exactNanos;
      lastNanos = -exactNanos;
      prunedNanos = -exactNanos;
      return latest;
    }
    forget(known, nowNanos - beginNanos);
    return known;
  }

  /**
   * Forgets past instants, at most once a second. It takes time in proportion to the number of
   * clients.
   */
  private void forget(ServiceRate known, long sinceNanos) {
    if (sinceNanos - prunedNanos >= SECOND_NANOS) {
      prunedNanos = sinceNanos;
      long current = span(known, sinceNanos);
      instants.values().removeIf(instant -> instant <= sinceNanos);
      taken.keySet().removeIf(span -> span < current);
      firstWithRoom = Math.max(firstWithRoom, current);
    }
  }

  private static long span(ServiceRate known, long nanos) {
    return (long) Math.floor(nanos / known.spanNanos());
  }

  private static long seconds(double nanos) {
    return (long) Math.ceil(nanos / SECOND_NANOS);
  }
}
