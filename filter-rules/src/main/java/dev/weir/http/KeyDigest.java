package dev.weir.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.internal.Expect;
import dev.weir.internal.store.Sha256;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The SHA-256 of a key, in hexadecimal digits. With it a configuration names a key without knowing
 * it. It protects keys that were drawn at random. It does not protect keys that can be guessed.
 *
 * @param hex 64 digits in lower case
 */
public record KeyDigest(String hex) {

  private static final Pattern FORM = Pattern.compile("[0-9a-fA-F]{64}");

  /**
   * @throws IllegalArgumentException when it is not 64 hexadecimal digits; the message does not
   *     show the value, because that may be a key
   */
  public KeyDigest {
    if (!FORM.matcher(hex).matches()) {
      throw Expect.failure(
          "sha256", "something else", "the SHA-256 of a key, as 64 hexadecimal digits");
    }
    hex = hex.toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the digest of this key's bytes in UTF-8, as {@code printf %s KEY | sha256sum} prints
   * it.
   */
  public static KeyDigest of(String key) {
    return new KeyDigest(Sha256.PLAIN.hex(key.getBytes(UTF_8)));
  }

  @Override
  public String toString() {
    return "sha256";
  }
}
