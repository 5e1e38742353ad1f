package dev.weir.demo.server;

import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;

/**
 * A check that distinguishes requests of the page on this machine from those of foreign pages.
 *
 * <p>The peer must be on the loopback interface. The host in the request must be a name of the
 * loopback interface: a foreign name that resolves to it by DNS rebinding is not. If a browser
 * sends an origin, it must be this node's own. Any page may send a POST here, but none can forge
 * its origin. A request without an origin is treated as one without a browser.
 *
 * <p>A proxy on this machine is a loopback peer too, whatever client is behind it. So a request
 * with a trace of a proxy is not trusted. Every request other than GET must carry a header field
 * that no form can send, no foreign page may set, and no proxy adds by itself.
 */
final class LocalCaller {

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  /** Fields in which proxies name their client, in addition to those with the prefix. */
  private static final Set<String> TRACES =
      Set.of("forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip");

  private static final String TRACE_PREFIX = "x-forwarded-";

  private static final String MARK = "X-Weir-Demo";
  private static final String MARK_VALUE = "1";

  private LocalCaller() {}

  static boolean isTrusted(Request request) {
    return isLoopback(request)
        && namesLoopback(request)
        && isOwnOrigin(request)
        && isDirect(request)
        && (HttpMethod.GET.is(request.getMethod()) || isMarked(request));
  }

  private static boolean isLoopback(Request request) {
    return request.getConnectionMetaData().getRemoteSocketAddress()
            instanceof InetSocketAddress peer
        && !peer.isUnresolved()
        && peer.getAddress().isLoopbackAddress();
  }

  /** Returns whether the request's host is a name of the loopback interface. */
  static boolean namesLoopback(Request request) {
    return LOOPBACK.contains(Request.getServerName(request));
  }

  private static boolean isOwnOrigin(Request request) {
    HttpField origin = request.getHeaders().getField(HttpHeader.ORIGIN);
    String own = "http://" + Request.getServerName(request) + ":" + Request.getServerPort(request);
    return origin == null || own.equals(origin.getValue());
  }

  private static boolean isDirect(Request request) {
    return request.getHeaders().stream()
        .map(field -> field.getName().toLowerCase(Locale.ROOT))
        .noneMatch(name -> name.startsWith(TRACE_PREFIX) || TRACES.contains(name));
  }

  private static boolean isMarked(Request request) {
    return MARK_VALUE.equals(request.getHeaders().get(MARK));
  }
}
