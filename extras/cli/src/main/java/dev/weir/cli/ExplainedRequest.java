package dev.weir.cli;

import dev.weir.http.RequestView;
import dev.weir.http.spi.RawRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request that is explained and not sent.
 *
 * @param target the path and the query, as they are sent
 * @param headers by their names in lower case
 */
record ExplainedRequest(
    String method,
    String target,
    Map<String, List<String>> headers,
    String peer,
    Optional<String> principal,
    Set<String> roles,
    Map<String, Object> attributes)
    implements RequestView {

  ExplainedRequest(
      String method,
      String target,
      Map<String, List<String>> headers,
      String peer,
      Optional<String> principal,
      Set<String> roles) {
    this(method, target, headers, peer, principal, roles, new HashMap<>());
  }

  /** Returns the same request, about which nothing was decided before. */
  ExplainedRequest again() {
    return new ExplainedRequest(method, target, headers, peer, principal, roles);
  }

  @Override
  public String path() {
    return RawRequest.path(target.split("\\?", 2)[0]);
  }

  @Override
  public Optional<String> host() {
    return headers("Host").stream().findFirst();
  }

  @Override
  public List<String> headers(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  @Override
  public List<String> queries(String name) {
    String[] parts = target.split("\\?", 2);
    return parts.length < 2 ? List.of() : RawRequest.queries(parts[1], name);
  }

  @Override
  public boolean declaresBody() {
    return true;
  }

  @Override
  public List<String> cookies(String name) {
    return RawRequest.cookies(headers("Cookie"), name);
  }

  @Override
  public boolean isUserInRole(String role) {
    return roles.contains(role);
  }

  @Override
  public Optional<String> peerAddress() {
    return Optional.of(peer);
  }

  @Override
  public @Nullable Object attribute(String name) {
    return attributes.get(name);
  }

  @Override
  public void attribute(String name, Object value) {
    attributes.put(name, value);
  }

  @Override
  public Optional<String> matchedTemplate() {
    return Optional.empty();
  }

  /** Returns no value: it may be a secret. */
  @Override
  public String toString() {
    return method;
  }
}
