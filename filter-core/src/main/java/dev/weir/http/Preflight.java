package dev.weir.http;

/** What a browser asks before a request to another origin: it carries nothing of that request. */
final class Preflight {

  private Preflight() {}

  static boolean isOne(RequestView request) {
    return request.method().equals("OPTIONS")
        && !request.headers("Origin").isEmpty()
        && !request.headers("Access-Control-Request-Method").isEmpty();
  }
}
