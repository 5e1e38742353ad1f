package dev.weir.demo.server;

import java.net.InetSocketAddress;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * Tells the page on this machine from other pages that reach for this machine.
 *
 * <p>The peer must be on the loopback interface. The host that it names must be a name of the
 * loopback interface: a foreign name that was made to resolve to it (DNS rebinding) is not. And
 * when a browser says which origin asks, it must be this node's own: any page may send a POST here,
 * but none can lie about its origin. What sends no origin is no browser.
 */
final class LocalCaller {

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private LocalCaller() {}

  static boolean isTrusted(Request request) {
    return isLoopback(request) && namesLoopback(request) && isOwnOrigin(request);
  }

  private static boolean isLoopback(Request request) {
    return request.getConnectionMetaData().getRemoteSocketAddress()
            instanceof InetSocketAddress peer
        && !peer.isUnresolved()
        && peer.getAddress().isLoopbackAddress();
  }

  private static boolean namesLoopback(Request request) {
    return LOOPBACK.contains(Request.getServerName(request));
  }

  private static boolean isOwnOrigin(Request request) {
    HttpField origin = request.getHeaders().getField(HttpHeader.ORIGIN);
    String own = "http://" + Request.getServerName(request) + ":" + Request.getServerPort(request);
    return origin == null || own.equals(origin.getValue());
  }
}
