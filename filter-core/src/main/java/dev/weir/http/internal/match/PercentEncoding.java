package dev.weir.http.internal.match;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;

/** The escapes of RFC 3986, each of exactly two hexadecimal digits, over UTF-8. */
public final class PercentEncoding {

  private PercentEncoding() {}

  /**
   * Returns the text with its escapes decoded, as UTF-8.
   *
   * @throws IllegalArgumentException when an escape is broken; {@code URLDecoder} would accept
   *     {@code %+1}
   */
  public static String decoded(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    byte[] bytes = text.getBytes(UTF_8);
    int length = 0;
    for (int i = 0; i < bytes.length; i++) {
      byte next = bytes[i];
      if (next == '%') {
        next = escaped(bytes, i);
        i += 2;
      }
      bytes[length++] = next;
    }
    return new String(bytes, 0, length, UTF_8);
  }

  private static byte escaped(byte[] bytes, int percent) {
    if (percent + 2 >= bytes.length) {
      throw broken();
    }
    byte high = bytes[percent + 1];
    byte low = bytes[percent + 2];
    if (!HexFormat.isHexDigit(high) || !HexFormat.isHexDigit(low)) {
      throw broken();
    }
    return (byte) (HexFormat.fromHexDigit(high) << 4 | HexFormat.fromHexDigit(low));
  }

  /** Returns an exception without the text, which may be a secret. */
  private static IllegalArgumentException broken() {
    return new IllegalArgumentException("an escape is not '%' and two hexadecimal digits");
  }
}
