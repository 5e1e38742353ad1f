package dev.weir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for processes that listen some time after their port was chosen. All are below those that a
 * system gives to outgoing connections: one of these could be taken in between. None is handed out
 * twice in one JVM. A server of a cluster has a second port, 10,000 above; it is free too, and
 * below those.
 */
public final class FreePorts {

  private static final int LOWEST = 11_000;
  private static final int HIGHEST = 21_999;
  private static final int CLUSTER_BUS = 10_000;

  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST));

  private FreePorts() {}

  /** Returns one at which nothing listens now, and at the one for the bus of a cluster neither. */
  public static int next() {
    while (true) {
      int port = NEXT.getAndUpdate(it -> it < HIGHEST ? it + 1 : LOWEST);
      if (isFree(port) && isFree(port + CLUSTER_BUS)) {
        return port;
      }
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
