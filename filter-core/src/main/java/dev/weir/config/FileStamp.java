package dev.weir.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
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

  private static final int MOST_BYTES = KeyFileReader.MOST_BYTES;

  static FileStamp of(byte[] bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return new FileStamp(HexFormat.of().formatHex(digest.digest(bytes)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * What a file holds, and one byte more than it may where it is too large.
   *
   * @throws IOException when it cannot be read
   */
  static byte[] bytes(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return in.readNBytes(MOST_BYTES + 1);
    }
  }
}
