package dev.weir.http;

import dev.weir.http.spi.Outcome.Delayed;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What rules can read of a request. An adapter implements it by reading and never makes decisions.
 * This package checks every value before it trusts, matches or counts it.
 */
public interface RequestView {

  /** Returns the request's method, as sent. */
  String method();

  /**
   * Returns the path within the application. For servlets it is {@code getServletPath() +
   * getPathInfo()}. For JAX-RS it is the base path and the path. It is decoded once, and may still
   * contain anything that a client can send.
   *
   * @throws IllegalArgumentException when the container finds the path suspicious; every rule that
   *     matches the method and the host then applies, because the path could be any
   */
  String path();

  /**
   * Returns other interpretations of the path. The software behind this library does not always
   * interpret it as {@link #path} does. A rule applies when it applies to any of them.
   *
   * @throws IllegalArgumentException as {@link #path} does
   */
  default List<String> otherPaths() {
    return List.of();
  }

  /** Returns the host that the client named, without a port, or empty when it named none. */
  Optional<String> host();

  /**
   * Returns every line of this header, in order. Names are compared without regard to case. {@code
   * Host} is one line, made of the request's authority: HTTP/2 has no such header.
   */
  List<String> headers(String name);

  /**
   * Returns every value of this query parameter, in order, decoded. Broken escapes are left out.
   */
  List<String> queries(String name);

  /** Returns the first of these values, which is the one that an application receives. */
  default Optional<String> query(String name) {
    return queries(name).stream().findFirst();
  }

  /**
   * Returns whether this is a preflight: a browser sends it before a request to another origin. It
   * carries nothing of that request.
   */
  default boolean isPreflight() {
    return method().equals("OPTIONS")
        && !headers("Origin").isEmpty()
        && !headers("Access-Control-Request-Method").isEmpty();
  }

  /**
   * Returns whether a request with a body must have a field that declares it, {@code
   * Content-Length} or {@code Transfer-Encoding}, as in HTTP/1.1. In HTTP/2 and HTTP/3 a body needs
   * no field. By default it is unknown, and false.
   */
  default boolean declaresBody() {
    return false;
  }

  /** Returns the value of every cookie of this name, in order. */
  List<String> cookies(String name);

  /**
   * Returns whether one of these values is only the server's interpretation of another of them. It
   * counts, but it is not one more cookie.
   */
  default boolean readsCookieInAnotherWay(String name) {
    return false;
  }

  /**
   * Returns the value of this cookie. Empty values are ignored. Returns empty if several cookies of
   * the name differ, because applications do not agree on which of them counts.
   */
  default Optional<String> cookie(String name) {
    List<String> different =
        cookies(name).stream().filter(value -> !value.isEmpty()).distinct().toList();
    return different.size() == 1 ? Optional.of(different.get(0)) : Optional.empty();
  }

  /** Returns the name of the authenticated user. */
  Optional<String> principal();

  /**
   * Returns whether the authenticated user has this role. Before authentication there is no role.
   */
  boolean isUserInRole(String role);

  /**
   * Returns the address of the peer as the container gives it. It is not always an IP address: an
   * empty text, or one that begins with a slash, is the peer of a Unix socket. Returns empty where
   * the peer is unknown.
   */
  Optional<String> peerAddress();

  /**
   * Returns whether the container has already rewritten the peer's address from a forwarding
   * header. What is left in the header is then the client's own claim. The default reads the mark
   * of Tomcat's RemoteIpValve.
   */
  default boolean isPeerAddressRewritten() {
    return Boolean.TRUE.equals(attribute("org.apache.tomcat.request.forwarded"));
  }

  /**
   * Returns a value that is kept on the request itself. Every adapter sees it, in every dispatch.
   */
  @Nullable Object attribute(String name);

  /**
   * Returns what the application keeps under this name in the client's session. Never starts a
   * session. The default has no sessions.
   */
  default @Nullable Object sessionAttribute(String name) {
    return null;
  }

  /** Keeps a value on the request. */
  void attribute(String name, Object value);

  /**
   * Keeps a value on the request where access logs and error pages of the container find it too.
   * The default is {@link #attribute(String, Object)}.
   */
  default void logAttribute(String name, Object value) {
    attribute(name, value);
  }

  /**
   * Returns whether this request can be answered later, by {@link Delayed}, without blocking a
   * thread until then. If it cannot, the calling thread may wait.
   */
  default boolean canWaitAside() {
    return false;
  }

  /**
   * Returns the path template that the framework matched, such as {@code /events/{id}}. Empty when
   * it is unknown.
   */
  Optional<String> matchedTemplate();
}
