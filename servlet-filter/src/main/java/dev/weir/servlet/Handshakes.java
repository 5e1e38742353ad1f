package dev.weir.servlet;

import jakarta.servlet.FilterConfig;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Handshakes for WebSocket: which requests are some, and which filters answer them. */
final class Handshakes {

  /** Jetty's filter, which Jetty puts in front of all others. */
  private static final String OF_JETTY = "org\\.eclipse\\.jetty\\..*\\.WebSocketUpgradeFilter";

  private static final Pattern IN_FRONT = Pattern.compile(OF_JETTY);

  private static final Pattern OF_CONTAINERS =
      Pattern.compile(
          "org\\.apache\\.tomcat\\.websocket\\.server\\.WsFilter"
              + "|io\\.undertow\\.websockets\\.jsr\\.JsrWebSocketFilter|"
              + OF_JETTY);

  /** The end of the attribute's name by which applications find it, whatever the edition. */
  private static final String SERVER_CONTAINER = ".websocket.server.ServerContainer";

  private Handshakes() {}

  /**
   * Returns whether the container may open a socket for this request. The filters that do so are
   * not mapped to asynchronous dispatches, so that it must wait on its thread. A client can make
   * any request wait so, if it looks like a handshake. Therefore it must be a whole one, to an
   * application that can open sockets.
   */
  static boolean isOne(HttpServletRequest request) {
    if (request.getHeader("Sec-WebSocket-Version") == null) {
      return false;
    }
    boolean isOverHttp1 =
        request.getMethod().equals("GET")
            && request.getHeader("Sec-WebSocket-Key") != null
            && names(request.getHeaders("Connection"), "upgrade")
            && names(request.getHeaders("Upgrade"), "websocket");
    boolean isOverHttp2 =
        request.getMethod().equals("CONNECT") && !request.getProtocol().startsWith("HTTP/1");
    return (isOverHttp1 || isOverHttp2) && canOpenSockets(request.getServletContext());
  }

  private static boolean names(@Nullable Enumeration<String> lines, String token) {
    return lines != null
        && Collections.list(lines).stream()
            .flatMap(line -> Stream.of(line.split(",", -1)))
            .anyMatch(one -> one.strip().equalsIgnoreCase(token));
  }

  private static boolean canOpenSockets(ServletContext application) {
    return Collections.list(application.getAttributeNames()).stream()
            .anyMatch(name -> name.endsWith(SERVER_CONTAINER))
        || application.getFilterRegistrations().values().stream().anyMatch(Handshakes::areServedBy);
  }

  /** Returns whether a container has added this filter for handshakes. */
  static boolean areServedBy(FilterRegistration filter) {
    return OF_CONTAINERS.matcher(String.valueOf(filter.getClassName())).matches();
  }

  /** Returns the class of the filter that answers them in front of all others, if there is one. */
  static Optional<String> filterInFront(ServletContext application) {
    return application.getFilterRegistrations().values().stream()
        .map(filter -> String.valueOf(filter.getClassName()))
        .filter(name -> IN_FRONT.matcher(name).matches())
        .findFirst();
  }

  /**
   * Returns whether the application's {@code web.xml} maps it behind this filter. Jetty adds none
   * where one of that name is declared, and tells no application in which order filters are.
   */
  static boolean isBehind(String upgradeFilter, FilterConfig config) {
    try (InputStream in = config.getServletContext().getResourceAsStream("/WEB-INF/web.xml")) {
      String xml = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return lastMention(upgradeFilter, xml) > lastMention(config.getFilterName(), xml);
    } catch (IOException e) {
      return false;
    }
  }

  private static int lastMention(String filter, String xml) {
    Matcher names =
        Pattern.compile("<filter-name>\\s*" + Pattern.quote(filter) + "\\s*</filter-name>")
            .matcher(xml);
    int last = -1;
    while (names.find()) {
      last = names.start();
    }
    return last;
  }
}
