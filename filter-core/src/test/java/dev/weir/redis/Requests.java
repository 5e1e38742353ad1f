package dev.weir.redis;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A reader of what a client sends to Redis, request by request. */
final class Requests {

  private Requests() {}

  /** Reads a whole request: so many parts, each with its length; null when there are no more. */
  static byte @Nullable [] read(InputStream in) throws IOException {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    String head = line(in, request);
    if (head.isEmpty()) {
      return null;
    }
    int parts = Integer.parseInt(head.substring(1));
    for (int i = 0; i < parts; i++) {
      int length = Integer.parseInt(line(in, request).substring(1));
      request.write(in.readNBytes(length + 2));
    }
    return request.toByteArray();
  }

  private static String line(InputStream in, ByteArrayOutputStream request) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int read = in.read(); read != '\n'; read = in.read()) {
      if (read < 0 && request.size() == 0) {
        return "";
      }
      if (read < 0) {
        throw new EOFException("within a request");
      }
      request.write(read);
      line.append((char) read);
    }
    request.write('\n');
    return line.substring(0, line.length() - 1);
  }
}
