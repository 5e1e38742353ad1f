package dev.weir.http;

/**
 * A preflight: a browser sends it before a request to another origin. It carries nothing of that
 * request.
 */
final class Preflight {

  private Preflight() {}

  static boolean isOne(RequestView request) {
    return request.method().equals("OPTIONS")
        && !request.headers("Origin").isEmpty()
        && !request.headers("Access-Control-Request-Method").isEmpty();
  }
}
