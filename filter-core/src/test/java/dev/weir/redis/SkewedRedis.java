package dev.weir.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.weir.redis.internal.client.Connector;
import dev.weir.redis.internal.script.Script;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A TCP proxy in front of a real Redis, which makes its clock appear ahead. Each decision that
 * passes is sent in full, with a script that adds so many seconds to the server's time.
 */
final class SkewedRedis implements AutoCloseable {

  private static final String SECONDS = "tonumber(time[1])";

  private final ServerSocket server;
  private final int target;
  private final int aheadSeconds;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final Map<String, String> texts =
      Stream.concat(Connector.PRELOADED.stream(), Stream.of(Script.ACROSS))
          .collect(Collectors.toMap(Script::sha1, Script::text));

  SkewedRedis(int target, int aheadSeconds) {
    this.target = target;
    this.aheadSeconds = aheadSeconds;
    try {
      server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new IllegalStateException("no port", e);
    }
    start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Socket redis = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(client);
        sockets.add(redis);
        start(() -> requests(client, redis));
        start(() -> replies(redis, client));
      } catch (IOException closed) {
        // so is the test
      }
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "skewed-redis");
    thread.setDaemon(true);
    thread.start();
  }

  private void requests(Socket client, Socket redis) {
    try (client;
        redis) {
      InputStream in = new BufferedInputStream(client.getInputStream());
      for (byte[] request = Requests.read(in); request != null; request = Requests.read(in)) {
        redis.getOutputStream().write(skewed(request));
      }
    } catch (IOException closed) {
      // so is the test
    }
  }

  private static void replies(Socket redis, Socket client) {
    try (redis;
        client) {
      redis.getInputStream().transferTo(client.getOutputStream());
    } catch (IOException closed) {
      // so is the test
    }
  }

  private byte[] skewed(byte[] request) {
    String text = new String(request, ISO_8859_1);
    List<String> lines = text.lines().limit(5).toList();
    if (!lines.get(2).equals("EVALSHA") || !texts.containsKey(lines.get(4))) {
      return request;
    }
    String script =
        texts.get(lines.get(4)).replace(SECONDS, "(" + SECONDS + " + " + aheadSeconds + ")");
    String sha = bulk("EVALSHA") + bulk(lines.get(4));
    return text.replace(sha, bulk("EVAL") + bulk(script)).getBytes(ISO_8859_1);
  }

  private static String bulk(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }
}
