package dev.weir.bench.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * A closed loop: each of so many connections sends a request as soon as the one before is answered.
 * One thread serves them all, so that it uses as little of the machine as possible.
 *
 * @param keys how many different clients the requests come from, in turn. If it is {@link
 *     #MADE_UP}, each request has a key that no request has had before
 * @param status that all answers should have
 */
record Driver(int port, String path, int keys, int connections, long millis, int status) {

  static final int MADE_UP = 0;

  /**
   * The result.
   *
   * @param failures answers with another status than expected
   */
  record Outcome(long requests, long failures, double seconds, double p50, double p99) {

    double perSecond() {
      return requests / seconds;
    }
  }

  Outcome run() throws IOException {
    Requests requests =
        keys == MADE_UP
            ? Requests.madeUp(path, System.nanoTime()) // later ones begin at a higher number
            : Requests.of(path, keys);
    Histogram latencies = new Histogram(3);
    List<Client> clients = new ArrayList<>();
    try (Selector selector = Selector.open()) {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      for (int i = 0; i < connections; i++) {
        clients.add(Client.connect(address, selector, requests, status, latencies));
      }
      long began = System.nanoTime();
      for (Client client : clients) {
        client.send();
      }
      serve(selector, began + millis * 1_000_000);
      double seconds = (System.nanoTime() - began) / 1e9;
      return outcome(clients, latencies, seconds);
    } finally {
      for (Client client : clients) {
        client.close();
      }
    }
  }

  private static void serve(Selector selector, long due) throws IOException {
    while (System.nanoTime() - due < 0) {
      selector.select(100);
      for (SelectionKey key : selector.selectedKeys()) {
        ((Client) key.attachment()).replied();
      }
      selector.selectedKeys().clear();
    }
  }

  private static Outcome outcome(List<Client> clients, Histogram latencies, double seconds) {
    return new Outcome(
        clients.stream().mapToLong(Client::answers).sum(),
        clients.stream().mapToLong(Client::failures).sum(),
        seconds,
        latencies.getValueAtPercentile(50) / 1e3,
        latencies.getValueAtPercentile(99) / 1e3);
  }
}
