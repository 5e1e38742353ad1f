package dev.weir.bench.http;

import dev.weir.bench.peer.Keys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Prepared requests, of one client after the other. For one thread. */
final class Requests {

  private final ByteBuffer[] all;
  private int next;

  Requests(String path, int keys) {
    all = new ByteBuffer[keys];
    for (int key = 0; key < keys; key++) {
      byte[] text =
          "GET %s HTTP/1.1\r\nHost: localhost\r\nX-API-Key: %s\r\n\r\n"
              .formatted(path, Keys.subject(key))
              .getBytes(StandardCharsets.US_ASCII);
      all[key] = ByteBuffer.allocateDirect(text.length).put(text).flip();
    }
  }

  /** Returns the next request, which must be sent whole. */
  ByteBuffer next() {
    next = next + 1 < all.length ? next + 1 : 0;
    return all[next].rewind();
  }
}
