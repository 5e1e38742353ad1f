package dev.weir.redis;

import dev.weir.internal.Expect;
import dev.weir.internal.InvalidValueException;
import dev.weir.internal.Redaction;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A small file of text, with credentials or certificates. No message shows its content.
 *
 * @param field the setting that names it
 */
record SmallFile(String field, Path path) {

  private static final int MOST_BYTES = 1 << 20;

  /**
   * Reads the file.
   *
   * @throws InvalidValueException when it is missing, or is not readable text
   */
  String read() {
    if (!Files.exists(path)) {
      throw failure("a file that exists");
    }
    if (!Files.isRegularFile(path)) {
      throw failure("a file, not a directory or a device");
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(path)) {
      bytes = in.readNBytes(MOST_BYTES + 1);
    } catch (IOException | SecurityException unreadable) {
      throw failure("a file that this process may read");
    }
    if (bytes.length > MOST_BYTES) {
      throw failure("a file of 1 MiB at most");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notText) {
      throw failure("text encoded in UTF-8");
    }
  }

  InvalidValueException failure(String expected) {
    return Expect.failure(field, Redaction.quoted(path.toString()), expected);
  }
}
