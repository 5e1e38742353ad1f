package dev.weir.http.internal.check;

import dev.weir.http.Overload;
import dev.weir.http.RequestMatcher;
import dev.weir.http.internal.client.Addresses;
import dev.weir.http.internal.overload.InFlightNumber;
import inet.ipaddr.IPAddress;
import java.util.Map;
import java.util.Optional;

/** A check that the libraries which requests need are there, in a version that fits. */
public final class HttpLibraries {

  private HttpLibraries() {}

  /**
   * Uses each library once that a request would be the first to use.
   *
   * @throws LinkageError when one is missing, or is there in another version
   */
  public static void use() {
    Optional<IPAddress> unused = Addresses.node("2001:db8::1");
    InFlightNumber.of(new Overload(1, 1, 1, RequestMatcher.of("/**"), Map.of()))
        .took(System.nanoTime(), 1, 1);
  }
}
