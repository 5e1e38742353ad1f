package dev.weir.servlet;

import dev.weir.http.RequestView;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What rules may know of a servlet request, read without touching its body. */
final class ServletRequestView implements RequestView {

  /** Where Tomcat's RemoteIpValve says that it has replaced the address of the peer. */
  private static final String REWRITTEN_BY_TOMCAT = "org.apache.tomcat.request.forwarded";

  private final HttpServletRequest request;

  ServletRequestView(HttpServletRequest request) {
    this.request = request;
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  /** Of the current dispatch: a forward goes to another path, an include does not. */
  @Override
  public String path() {
    return orEmpty(request.getServletPath()) + orEmpty(request.getPathInfo());
  }

  @Override
  public Optional<String> host() {
    return Optional.ofNullable(request.getServerName());
  }

  @Override
  public List<String> headers(String name) {
    Enumeration<String> lines = request.getHeaders(name);
    return lines == null ? List.of() : Collections.list(lines);
  }

  /**
   * From the query string itself: {@code getParameter} reads the body of a form as well, which then
   * is neither the client's query nor there for the application to read.
   */
  @Override
  public Optional<String> query(String name) {
    for (String pair : orEmpty(request.getQueryString()).split("&", -1)) {
      int equals = pair.indexOf('=');
      String parameter = equals < 0 ? pair : pair.substring(0, equals);
      if (decoded(parameter).filter(name::equals).isPresent()) {
        return decoded(equals < 0 ? "" : pair.substring(equals + 1));
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<String> cookie(String name) {
    Cookie[] cookies = request.getCookies();
    if (cookies == null) {
      return Optional.empty();
    }
    for (Cookie cookie : cookies) {
      if (cookie.getName().equals(name)) {
        return Optional.ofNullable(cookie.getValue());
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<String> principal() {
    return Optional.ofNullable(request.getUserPrincipal()).map(Principal::getName);
  }

  @Override
  public Optional<String> peerAddress() {
    return Optional.ofNullable(request.getRemoteAddr());
  }

  @Override
  public boolean isPeerAddressRewritten() {
    return Boolean.TRUE.equals(request.getAttribute(REWRITTEN_BY_TOMCAT));
  }

  @Override
  public @Nullable Object attribute(String name) {
    return request.getAttribute(name);
  }

  @Override
  public void attribute(String name, Object value) {
    request.setAttribute(name, value);
  }

  /** Servlets know patterns, not templates. */
  @Override
  public Optional<String> matchedTemplate() {
    return Optional.empty();
  }

  /** Empty for broken escapes, which servlets do not see as a parameter either. */
  private static Optional<String> decoded(String text) {
    try {
      return Optional.of(URLDecoder.decode(text, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException brokenEscape) {
      return Optional.empty();
    }
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
