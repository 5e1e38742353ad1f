package dev.weir.http;

import dev.weir.http.ClientAddress.Basis;
import dev.weir.http.ClientAddress.Found;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Warns when many clients share a counter because their addresses are not found. Thread-safe.
 *
 * <p>Anybody can send a forwarding header. So each kind of warning comes once, and a header that
 * cannot be read comes again at each doubling. No warning shows what a client has written.
 */
final class AddressWarnings {

  private static final Logger LOG = System.getLogger("dev.weir.http");

  /** The headers in which proxies name the client. */
  private static final List<String> FORWARDING =
      List.of(
          "X-Forwarded-For",
          "Forwarded",
          "X-Real-IP",
          "CF-Connecting-IP",
          "True-Client-IP",
          "CloudFront-Viewer-Address");

  /**
   * The first requests are all examined, and then one in so many: a proxy sends its header with
   * each request.
   */
  private static final int FIRST = 1_000;

  private static final int ONE_IN = 64;

  private final ClientAddress clientAddress;
  private final AtomicLong unreadable = new AtomicLong();
  private final AtomicBoolean hasWarnedOfUntrusted = new AtomicBoolean();
  private final AtomicBoolean hasWarnedOfOther = new AtomicBoolean();
  private final AtomicBoolean hasWarnedOfNoAddress = new AtomicBoolean();

  /** Threads may lose an increment, which does not matter. */
  private int examined;

  AddressWarnings(ClientAddress clientAddress) {
    this.clientAddress = clientAddress;
  }

  /** Examines how this client was found. */
  void examine(Found client, RequestView request) {
    switch (client.basis()) {
      case PEER, NO_HEADER -> unreadHeader(client, request);
      case UNREADABLE -> unreadable(client);
      case NO_ADDRESS -> noAddress();
      case HEADER, REWRITTEN -> {}
    }
  }

  private void unreadHeader(Found client, RequestView request) {
    AtomicBoolean hasWarned = isPeer(client) ? hasWarnedOfUntrusted : hasWarnedOfOther;
    if (hasWarned.get() || !isDue() || request.isPeerAddressRewritten()) {
      return;
    }
    Optional<String> sent =
        FORWARDING.stream()
            .filter(name -> !name.equalsIgnoreCase(clientAddress.header()) || isPeer(client))
            .filter(name -> !request.headers(name).isEmpty())
            .findFirst();
    if (sent.isPresent() && !hasWarned.getAndSet(true)) {
      LOG.log(
          Level.WARNING,
          isPeer(client) ? untrusted(client, sent.get()) : other(client, sent.get()));
    }
  }

  private static boolean isPeer(Found client) {
    return client.basis() == Basis.PEER;
  }

  private boolean isDue() {
    if (examined < FIRST) {
      examined++;
      return true;
    }
    return ThreadLocalRandom.current().nextInt(ONE_IN) == 0;
  }

  private static String untrusted(Found client, String sent) {
    return ("%s sends '%s' and is not in 'trusted-proxies', so the header is ignored: if it is your"
            + " proxy, all clients behind %s share one counter; add the address of each proxy to"
            + " 'client-address: trusted-proxies' then")
        .formatted(client.key(), sent, client.key());
  }

  private String other(Found client, String sent) {
    return ("the trusted proxy %s sends '%s' and no '%s': all clients behind %s share one counter;"
            + " set 'client-address: header' to the header in which it names the client")
        .formatted(client.key(), sent, clientAddress.header(), client.key());
  }

  private void unreadable(Found client) {
    long number = unreadable.incrementAndGet();
    if (Long.bitCount(number) == 1) {
      LOG.log(
          Level.WARNING,
          "'%s' of the trusted proxy %s cannot be read (%d times so far): its clients share one counter; let each proxy write an address, with or without a port, and list the proxies themselves in 'trusted-proxies'"
              .formatted(clientAddress.header(), client.key(), number));
    }
  }

  private void noAddress() {
    if (!hasWarnedOfNoAddress.get() && !hasWarnedOfNoAddress.getAndSet(true)) {
      LOG.log(
          Level.WARNING,
          "a peer has no IP address, as one that comes through a Unix socket: all such clients share one counter; if it is your proxy, add 'unix' to 'client-address: trusted-proxies' in Jetty, and elsewhere let it connect by TCP");
    }
  }
}
