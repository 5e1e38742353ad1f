package dev.weir.http;

import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressString;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A search for a private address by which nearly all requests are counted, although several
 * programs send them. Such an address is that of a proxy or a balancer which names no client.
 * Thread-safe.
 *
 * <p>A load test, a health check and a batch client have a private address too, and one {@code
 * User-Agent}. A partner or an office may have one public address. None of them is found.
 *
 * <p>It follows one address at a time. When too few requests have that address, it begins again
 * with the address of the last one. So it stores no other address.
 */
final class MajorityAddress {

  /** How many requests are compared. */
  static final int WINDOW = 1_000;

  /** How many of them may have another address. */
  private static final int MOST_OTHERS = WINDOW / 10;

  /** So many programs are more than a browser and its updates on one machine. */
  private static final int PROGRAMS = 3;

  /** Addresses that carriers and clouds use within their own networks. */
  private static final IPAddress SHARED_SPACE = new IPAddressString("100.64.0.0/10").getAddress();

  private String key = "";
  private int same;
  private int others;

  /** The hashes of what names the program, at most {@link #PROGRAMS}. */
  private final Set<Integer> programs = new HashSet<>();

  /**
   * Adds a request.
   *
   * @return the percentage of requests with this address, if it is the one that is looked for
   */
  synchronized Optional<Integer> add(ClientAddress.Found client, RequestView request) {
    if (client.key().equals(key)) {
      same++;
    } else if (++others > MOST_OTHERS || key.isEmpty()) {
      follow(client.key());
    } else {
      return Optional.empty();
    }
    if (programs.size() < PROGRAMS) {
      programs.add(request.headers("User-Agent").hashCode());
    }
    int all = same + others;
    if (all < WINDOW) {
      return Optional.empty();
    }
    boolean isFound =
        programs.size() == PROGRAMS && client.address().filter(it -> isPrivate(it)).isPresent();
    int percentage = 100 * same / all;
    follow("");
    return isFound ? Optional.of(percentage) : Optional.empty();
  }

  private void follow(String next) {
    key = next;
    same = next.isEmpty() ? 0 : 1;
    others = 0;
    programs.clear();
  }

  private static boolean isPrivate(IPAddress address) {
    return address.isLocal() || address.isLoopback() || SHARED_SPACE.contains(address);
  }
}
