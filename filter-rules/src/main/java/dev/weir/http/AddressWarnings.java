package dev.weir.http;

import dev.weir.http.internal.client.ForwardingHeaders;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A source of warnings where many clients share a counter because their addresses are not found.
 * Thread-safe.
 *
 * <p>Anybody can send a forwarding header. So each kind of warning comes once, and a header that
 * cannot be read comes again at each doubling. No warning shows what a client has written.
 */
final class AddressWarnings {

  private static final Logger LOG = System.getLogger("dev.weir.http");

  /**
   * The first requests are all examined, and then one in so many: a proxy sends its header with
   * each request.
   */
  private static final int FIRST = 1_000;

  private static final int ONE_IN = 64;

  private final ClientAddress clientAddress;
  private final AtomicLong unreadable = new AtomicLong();
  private final AtomicLong tooShort = new AtomicLong();
  private final AtomicBoolean hasWarnedOfOtherProxy = new AtomicBoolean();
  private final AtomicBoolean hasWarnedOfUntrusted = new AtomicBoolean();
  private final AtomicBoolean hasWarnedOfOther = new AtomicBoolean();
  private final AtomicBoolean hasWarnedOfNoAddress = new AtomicBoolean();
  private final AtomicBoolean hasWarnedOfMajority = new AtomicBoolean();
  private final MajorityAddress majority = new MajorityAddress();

  /** Threads may lose an increment, which does not matter. */
  private int examined;

  AddressWarnings(ClientAddress clientAddress) {
    this.clientAddress = clientAddress;
  }

  /** Examines how this client was found. */
  void examine(ClientAddress.Found client, RequestView request) {
    switch (client.basis()) {
      case PEER, NO_HEADER, HEADER, REWRITTEN -> {
        if (isSampled()) {
          sampled(client, request);
        }
      }
      case UNREADABLE -> unreadable(client.key(), request);
      case TOO_SHORT -> tooShort(client.key(), request);
      case OTHER_PROXY -> otherProxy(client.key(), request);
      case NO_ADDRESS -> {
        if (!hasWarnedOfNoAddress.get() && !hasWarnedOfNoAddress.getAndSet(true)) {
          LOG.log(
              Level.WARNING,
              "a peer has no IP address, as one that comes through a Unix socket: all such clients share one counter; if it is your proxy, add 'unix' to 'client-address: trusted-proxies' in Jetty, and elsewhere let it connect by TCP");
        }
      }
    }
  }

  private boolean isSampled() {
    if (examined >= FIRST) {
      return ThreadLocalRandom.current().nextInt(ONE_IN) == 0;
    }
    examined++;
    return true;
  }

  private void sampled(ClientAddress.Found client, RequestView request) {
    if (!hasWarnedOfMajority.get()) {
      majority
          .add(client, request)
          .filter(percentage -> !hasWarnedOfMajority.getAndSet(true))
          .ifPresent(percentage -> shared(client.key(), percentage));
    }
    if (client.basis() == ClientAddress.Basis.PEER) {
      untrusted(client.key(), request);
    } else if (client.basis() == ClientAddress.Basis.NO_HEADER) {
      other(client.key(), request);
    }
  }

  private void shared(String address, int percentage) {
    LOG.log(
        Level.WARNING,
        "all clients share one address: %s of the last 1,000 requests that were examined count as %s, which is private, and several programs sent them. If it is a proxy or a balancer, let it write 'X-Forwarded-For', and add its address to 'client-address: trusted-proxies'"
            .formatted(percentage + " %", address));
  }

  private void untrusted(String peer, RequestView request) {
    Optional<String> name = sent("", request, hasWarnedOfUntrusted);
    if (name.isPresent()) {
      LOG.log(
          Level.WARNING,
          ("%s sends '%s' and is not in 'trusted-proxies', so the header is ignored: if it is your"
                  + " proxy, all clients behind %s share one counter; add the address of each"
                  + " proxy to 'client-address: trusted-proxies' then")
              .formatted(peer, name.get(), peer));
    }
  }

  private void other(String proxy, RequestView request) {
    String header = clientAddress.header(request);
    Optional<String> name = sent(header, request, hasWarnedOfOther);
    if (name.isPresent()) {
      LOG.log(
          Level.WARNING,
          ("the trusted proxy %s sends '%s' and no '%s': all clients behind %s share one counter;"
                  + " set 'client-address: header' to the header in which it names the client")
              .formatted(proxy, name.get(), header, proxy));
    }
  }

  /**
   * Returns a header in which the peer itself names a client, except this one, if a warning of it
   * is due.
   */
  private Optional<String> sent(String except, RequestView request, AtomicBoolean hasWarned) {
    if (hasWarned.get() || request.isPeerAddressRewritten()) {
      return Optional.empty();
    }
    return ForwardingHeaders.NAMING_THE_CLIENT.stream()
        .filter(name -> !name.equalsIgnoreCase(except) && !request.headers(name).isEmpty())
        .findFirst()
        .filter(name -> !hasWarned.getAndSet(true));
  }

  private void unreadable(String proxy, RequestView request) {
    long number = unreadable.incrementAndGet();
    if (Long.bitCount(number) == 1) {
      LOG.log(
          Level.WARNING,
          "'%s' of the trusted proxy %s cannot be read (%d times so far): its clients share one counter; let each proxy write an address, with or without a port, and list the proxies themselves in 'trusted-proxies'"
              .formatted(clientAddress.header(request), proxy, number));
    }
  }

  private void tooShort(String proxy, RequestView request) {
    long number = tooShort.incrementAndGet();
    if (Long.bitCount(number) == 1) {
      LOG.log(
          Level.WARNING,
          "'%s' of the trusted proxy %s has fewer addresses than 'trusted-hops: %d' (%d times so far): its clients share one counter; set 'trusted-hops' to the number of addresses that your proxies add"
              .formatted(
                  clientAddress.header(request),
                  proxy,
                  clientAddress.trustedHops().orElse(0),
                  number));
    }
  }

  private void otherProxy(String other, RequestView request) {
    if (!hasWarnedOfOtherProxy.get() && !hasWarnedOfOtherProxy.getAndSet(true)) {
      LOG.log(
          Level.WARNING,
          "'%s' names the proxy %s, which has another header in 'trusted-proxies': all clients behind both share one counter; if both proxies write '%s', list the network of %s without a header of its own"
              .formatted(
                  clientAddress.header(request), other, clientAddress.header(request), other));
    }
  }
}
