package dev.weir.config;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a file held when it was read, told from another by its bytes and nothing else: the same
 * written once more is no change.
 *
 * @param sha256 of the bytes, in lower-case hexadecimal
 */
record FileStamp(String sha256) {

  static FileStamp of(byte[] bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return new FileStamp(HexFormat.of().formatHex(digest.digest(bytes)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
