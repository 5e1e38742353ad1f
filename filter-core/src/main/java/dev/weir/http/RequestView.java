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

  /** The host that the client named, without a port; empty when it named none. */
  Optional<String> host();

  /** Every line of this header, in order, names compared without regard to case. */
  List<String> headers(String name);

  /** The first value of this query parameter, decoded. */
  Optional<String> query(String name);

  /** The value of this cookie. */
  Optional<String> cookie(String name);

  /** The name of the authenticated user. */
  Optional<String> principal();

  /** The address of the peer as the container gives it: not always an IP address. */
  Optional<String> peerAddress();

  /**
   * Whether the container has already rewritten the peer's address from a forwarding header, so
   * that what is left in the header is the client's own claim.
   */
  boolean isPeerAddressRewritten();

  /** A value kept on the request itself, seen by every adapter and in every dispatch. */
  @Nullable Object attribute(String name);

  /** Keeps a value on the request. */
  void attribute(String name, Object value);

  /** The path template that the framework matched, where it tells: {@code /reports/{id}}. */
  Optional<String> matchedTemplate();
}
