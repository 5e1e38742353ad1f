package dev.weir.config.internal.document;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The content of a file when it was read. Only the bytes are compared, so writing the same content
 * again is no change.
 *
 * @param sha256 of the bytes, in lower-case hexadecimal
 */
public record FileStamp(String sha256) {

  public static FileStamp of(byte[] bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return new FileStamp(HexFormat.of().formatHex(digest.digest(bytes)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
