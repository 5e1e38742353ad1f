package dev.weir.http;

import inet.ipaddr.IPAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request as its rules look at it, so that the client's address is worked out once. Confined to
 * one thread.
 */
final class RequestContext implements Tier.TierView {

  private final RequestView request;
  private final ClientAddress clientAddress;
  private Optional<String> pattern = Optional.empty();
  private @Nullable String ip;
  private @Nullable IPAddress address;
  private boolean isAddressRead;

  RequestContext(RequestView request, ClientAddress clientAddress) {
    this.request = request;
    this.clientAddress = clientAddress;
  }

  @Override
  public RequestView request() {
    return request;
  }

  @Override
  public boolean isPeerTrusted() {
    return clientAddress.isPeerTrusted(request);
  }

  /** Looks through the eyes of the rule whose pattern this is. */
  RequestContext through(Optional<String> pattern) {
    this.pattern = pattern;
    return this;
  }

  /** The key of the client's address. */
  String ip() {
    if (ip == null) {
      ip = clientAddress.keyOf(request);
    }
    return ip;
  }

  /** The client's address itself; empty where nothing tells it. */
  Optional<IPAddress> address() {
    if (!isAddressRead) {
      isAddressRead = true;
      address = clientAddress.addressOf(request).orElse(null);
    }
    return Optional.ofNullable(address);
  }

  /** The framework's template, or else the rule's pattern; never the path itself. */
  Optional<String> template() {
    Optional<String> matched = request.matchedTemplate();
    return matched.isPresent() ? matched : pattern;
  }
}
