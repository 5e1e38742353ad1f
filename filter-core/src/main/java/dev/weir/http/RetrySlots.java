package dev.weir.http;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When the clients return that one counter has denied, all asking for as many permits.
 *
 * <p>Model. A counter serves so many requests in each span of time, by its {@link ServiceRate}. The
 * first span begins when the first denied request would fit, and the others follow one another. A
 * client is given the first whole second from now that is no earlier than its exact wait, and whose
 * span has room. It keeps that instant: if it asks again before, it is told what is left, and takes
 * no further room. So a client that retries in haste delays the others by one request.
 *
 * <p>Spans begin anew, and what was told is forgotten, when all instants have passed, and when
 * those spans are out of date: a request would fit more than a second before the first of them, or
 * the counter serves twice as fast. So it is after a reset, a refund, or a hang. Less than that is
 * what estimates and trips differ by.
 *
 * <p>Clients whose address is unknown cannot be told apart: each denial is a new client.
 *
 * <p>Invariant. No client is told less than its exact wait, and the first one no more. No span has
 * more clients than the counter serves in it, but for those that find no room within five minutes
 * and one span, and those beyond {@value #MOST_CLIENTS}: they are spread evenly by their addresses,
 * and not remembered.
 *
 * <p>Example. Of 2 per second nothing is left at 0 s, and the next permit is due at 0.5 s. The
 * spans begin at 0.5 s and last a second, with 2 requests in each, the second of them half a second
 * later. Five clients that are denied at 0 s are told 1, 1, 2, 2 and 3 seconds; the first of them,
 * asking again at 0.7 s, what is left of its second.
 *
 * <p>Thread-safe.
 */
final class RetrySlots {

  static final int MOST_CLIENTS = 1_000;

  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long LONGEST_SECONDS = 300;

  /** Since the first span began, as all times here but those that are passed in and out. */
  private final Map<String, Long> instants = new HashMap<>();

  private final Map<Long, Integer> taken = new HashMap<>();

  /** Those before it have no room. */
  private long firstWithRoom;

  private long unknownClients;

  private @Nullable ServiceRate pace;
  private long beginNanos;
  private long lastNanos;
  private long forgottenNanos;

  /**
   * How long this client is told to wait.
   *
   * @param latest how the counter serves, by which spans are cut where no client is to return
   * @param exactNanos when the request would fit, if no other took the permits; more than zero
   * @return at least that
   */
  synchronized long nanosFor(String client, ServiceRate latest, long exactNanos, long nowNanos) {
    ServiceRate known = pace(latest, exactNanos, nowNanos);
    long sinceNanos = nowNanos - beginNanos;
    String key = client.equals(ClientAddress.NO_ADDRESS) ? client + unknownClients++ : client;
    @Nullable Long instant = instants.get(key);
    if (instant != null && instant - sinceNanos >= exactNanos) {
      return instant - sinceNanos;
    }
    long seconds = Math.max(Seconds.roundedUp(exactNanos), Seconds.roundedUp(-sinceNanos));
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

  /** From when on the span has room, or the next one begins. */
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

  /** Over as long as the counter takes to serve those that are remembered. */
  private static long overflow(String client, ServiceRate known) {
    double servingNanos = MOST_CLIENTS * known.spanNanos() / known.requests();
    long over = Math.max(1, Math.min(LONGEST_SECONDS, seconds(servingNanos)));
    return Math.floorMod(client.hashCode() * 0x9E3779B9, (int) over);
  }

  private ServiceRate pace(ServiceRate latest, long exactNanos, long nowNanos) {
    ServiceRate known = pace;
    if (known == null
        || nowNanos - beginNanos >= lastNanos
        || beginNanos - (nowNanos + exactNanos) > SECOND_NANOS
        || isTwiceAsFast(latest, known)) {
      instants.clear();
      taken.clear();
      firstWithRoom = 0;
      pace = latest;
      beginNanos = nowNanos + exactNanos;
      lastNanos = -exactNanos;
      forgottenNanos = -exactNanos;
      return latest;
    }
    forget(known, nowNanos - beginNanos);
    return known;
  }

  private static boolean isTwiceAsFast(ServiceRate latest, ServiceRate known) {
    return 2 * latest.spanNanos() / latest.requests() <= known.spanNanos() / known.requests();
  }

  /** Not at each denial: it takes as long as there are clients. */
  private void forget(ServiceRate known, long sinceNanos) {
    if (sinceNanos - forgottenNanos >= SECOND_NANOS) {
      forgottenNanos = sinceNanos;
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
