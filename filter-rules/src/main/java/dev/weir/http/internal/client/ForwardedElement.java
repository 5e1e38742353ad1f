package dev.weir.http.internal.client;

import java.util.Optional;

/** A parser for the node of one element of a {@code Forwarded} header, as RFC 7239 defines it. */
public final class ForwardedElement {

  private final String text;
  private int at;

  private ForwardedElement(String text) {
    this.text = text;
  }

  /**
   * Returns the value of {@code for}. Empty when the element has none, has two, or is malformed. An
   * IPv6 address that a proxy forgot to quote is accepted.
   */
  public static Optional<String> node(String element) {
    return new ForwardedElement(element).node();
  }

  private Optional<String> node() {
    Optional<String> node = Optional.empty();
    while (at < text.length()) {
      int equals = text.indexOf('=', at);
      if (equals < 0) {
        return Optional.empty();
      }
      String name = text.substring(at, equals).strip();
      at = equals + 1;
      Optional<String> value = at < text.length() && text.charAt(at) == '"' ? quoted() : plain();
      boolean isNode = name.equalsIgnoreCase("for");
      if (value.isEmpty() || (isNode && node.isPresent())) {
        return Optional.empty();
      }
      node = isNode ? value : node;
    }
    return node;
  }

  /** Reads the value that starts here. It stops after the semicolon that ends the value. */
  private Optional<String> plain() {
    int semicolon = text.indexOf(';', at);
    int end = semicolon < 0 ? text.length() : semicolon;
    String value = text.substring(at, end).strip();
    at = end + 1;
    return value.isEmpty() || value.indexOf('"') >= 0 ? Optional.empty() : Optional.of(value);
  }

  /** Reads the value in quotes that starts here. It stops as {@link #plain} does. */
  private Optional<String> quoted() {
    StringBuilder value = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        // only blanks may stand between the quote and the semicolon that ends the pair
        do {
          at++;
        } while (at < text.length() && " \t".indexOf(text.charAt(at)) >= 0);
        boolean endsPair = at == text.length() || text.charAt(at++) == ';';
        return endsPair ? Optional.of(value.toString()) : Optional.empty();
      }
      if (c == '\\' && ++at == text.length()) {
        return Optional.empty();
      }
      value.append(text.charAt(at));
    }
    return Optional.empty();
  }
}
