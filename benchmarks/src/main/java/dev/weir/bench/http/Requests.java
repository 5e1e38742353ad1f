package dev.weir.bench.http;

import dev.weir.bench.peer.Keys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Requests of one client after the other. For one thread. */
abstract class Requests {

  private Requests() {}

  /** Returns the next request, which must be sent whole before the one after it. */
  abstract ByteBuffer next();

  /** Returns requests of so many clients, in turn. */
  static Requests of(String path, int clients) {
    return new Known(path, clients);
  }

  /** Returns requests of a new client each time, with made-up keys from this number on. */
  static Requests madeUp(String path, long first) {
    return new MadeUp(path, first);
  }

  private static ByteBuffer request(String path, String key) {
    byte[] text =
        "GET %s HTTP/1.1\r\nHost: localhost\r\nX-API-Key: %s\r\n\r\n"
            .formatted(path, key)
            .getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocateDirect(text.length).put(text).flip();
  }

  private static final class Known extends Requests {

    private final ByteBuffer[] all;
    private int next;

    Known(String path, int clients) {
      all = new ByteBuffer[clients];
      for (int key = 0; key < clients; key++) {
        all[key] = request(path, Keys.subject(key));
      }
    }

    @Override
    ByteBuffer next() {
      next = next + 1 < all.length ? next + 1 : 0;
      return all[next].rewind();
    }
  }

  /** The end of the key is a number that is counted up in place. */
  private static final class MadeUp extends Requests {

    private static final String END = "\r\n\r\n";

    private final ByteBuffer request;
    private final int lastDigit;

    MadeUp(String path, long first) {
      request = request(path, Keys.subject(first));
      lastDigit = request.limit() - END.length() - 1;
    }

    @Override
    ByteBuffer next() {
      int digit = lastDigit;
      while (request.get(digit) == '9') {
        request.put(digit, (byte) '0');
        digit--;
      }
      request.put(digit, (byte) (request.get(digit) + 1));
      return request.rewind();
    }
  }
}
