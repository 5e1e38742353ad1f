package dev.weir.http;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What rules may know of a request. An adapter implements it by reading, never by judging: nothing
 * here is trusted, matched or counted before this package has looked at it.
 */
public interface RequestView {

  /** The request's method, as sent. */
  String method();

  /**
   * The path within the application: for servlets {@code getServletPath() + getPathInfo()}, for
   * JAX-RS the base path and the path. Decoded once; it may still hold anything a client can send.
   *
   * @throws IllegalArgumentException when the container finds the path suspicious; every rule that
   *     takes the method and the host then applies, for the path could be any
   */
  String path();

  /**
   * What else the path may be to those behind us, who do not all read it as {@link #path} does. A
   * rule applies when it applies to any.
   *
   * @throws IllegalArgumentException as {@link #path} does
   */
  default List<String> otherPaths() {
    return List.of();
  }

  /** The host that the client named, without a port; empty when it named none. */
  Optional<String> host();

  /** Every line of this header, in order, names compared without regard to case. */
  List<String> headers(String name);

  /** Every value of this query parameter, in order, decoded; none of a broken escape. */
  List<String> queries(String name);

  /** The first of these, which is the one that an application is given. */
  default Optional<String> query(String name) {
    return queries(name).stream().findFirst();
  }

  /** The value of every cookie of this name, in order. */
  List<String> cookies(String name);

  /**
   * Whether one of these values is only how the server reads another of them. It counts, but it is
   * not one more cookie.
   */
  default boolean readsCookieInAnotherWay(String name) {
    return false;
  }

  /**
   * The value of this cookie, empty ones left aside; none where several of the name differ, for
   * applications do not agree on which of them counts.
   */
  default Optional<String> cookie(String name) {
    List<String> different =
        cookies(name).stream().filter(value -> !value.isEmpty()).distinct().toList();
    return different.size() == 1 ? Optional.of(different.get(0)) : Optional.empty();
  }

  /** The name of the authenticated user. */
  Optional<String> principal();

  /** Whether the authenticated user has this role; nobody has any before being authenticated. */
  boolean isUserInRole(String role);

  /** The address of the peer as the container gives it: not always an IP address. */
  Optional<String> peerAddress();

  /**
   * Whether the container has already rewritten the peer's address from a forwarding header, so
   * that what is left in the header is the client's own claim. By default, as Tomcat's
   * RemoteIpValve marks it.
   */
  default boolean isPeerAddressRewritten() {
    return Boolean.TRUE.equals(attribute("org.apache.tomcat.request.forwarded"));
  }

  /** A value kept on the request itself, seen by every adapter and in every dispatch. */
  @Nullable Object attribute(String name);

  /** Keeps a value on the request. */
  void attribute(String name, Object value);

  /**
   * Whether this request can be answered later, by {@link Delayed}, without holding a thread until
   * then. Where it cannot, the thread that asks may wait.
   */
  default boolean canWaitAside() {
    return false;
  }

  /** The path template that the framework matched, where it tells: {@code /reports/{id}}. */
  Optional<String> matchedTemplate();
}
