package dev.weir.servlet;

import dev.weir.http.RawCookies;
import dev.weir.http.RawPath;
import dev.weir.http.RawQuery;
import dev.weir.http.RequestView;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What rules may know of a servlet request, read without touching its body. */
final class ServletRequestView implements RequestView {

  /** Servlet 4 and newer. */
  private static final boolean TELLS_MAPPING = tellsMapping();

  private final HttpServletRequest request;
  private final boolean canWaitAside;

  ServletRequestView(HttpServletRequest request) {
    this(request, false);
  }

  ServletRequestView(HttpServletRequest request, boolean canWaitAside) {
    this.request = request;
    this.canWaitAside = canWaitAside;
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  /** Of the current dispatch: a forward goes to another path, an include does not. */
  @Override
  public String path() {
    String servlet = orEmpty(request.getServletPath());
    String rest = orEmpty(request.getPathInfo());
    if (rest.isEmpty()) {
      return servlet;
    }
    return servlet.isEmpty() ? rest : servlet + rest;
  }

  /**
   * The path in the URI as it was sent. Frameworks that route by that, such as Jersey, resolve no
   * dots; and Tomcat says {@code /index.html} for {@code /} where that is the welcome file.
   *
   * <p>Jersey cuts what is before its own path off by its length: where it is mapped to {@code
   * /rest/*}, it takes {@code /rest;login}, which is {@code /rest} to the container, for {@code
   * /rest/login}.
   */
  @Override
  public List<String> otherPaths() {
    String context = orEmpty(request.getContextPath());
    String uri = orEmpty(request.getRequestURI());
    if (isPlain(uri, context)) {
      return List.of();
    }
    String inApplication = behind(context, uri);
    String servlet = orEmpty(request.getServletPath());
    return servlet.isEmpty() || !isMappedToPaths(servlet)
        ? List.of(inApplication)
        : List.of(inApplication, servlet + behind(context + servlet, uri));
  }

  /** Whether it says what {@link #path} says, and nothing else. */
  private boolean isPlain(String uri, String context) {
    String path = path();
    return uri.length() == context.length() + path.length()
        && uri.startsWith(context)
        && uri.endsWith(path);
  }

  private static String behind(String base, String uri) {
    return "/" + RawPath.decoded(uri.substring(Math.min(uri.length(), base.length() + 1)));
  }

  private boolean isMappedToPaths(String servlet) {
    return TELLS_MAPPING
        ? request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH
        : hasMapping(servlet + "/*");
  }

  /** Servlet 3.1 does not tell by which mapping a request came. */
  private boolean hasMapping(String pattern) {
    return request.getServletContext().getServletRegistrations().values().stream()
        .anyMatch(servlet -> servlet.getMappings().contains(pattern));
  }

  private static boolean tellsMapping() {
    return Stream.of(HttpServletRequest.class.getMethods())
        .anyMatch(method -> method.getName().equals("getHttpServletMapping"));
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
  public List<String> queries(String name) {
    return RawQuery.values(orEmpty(request.getQueryString()), name);
  }

  /** Undertow gives one of each name. */
  @Override
  public List<String> cookies(String name) {
    return RawCookies.values(given(name), headers("Cookie"), name);
  }

  @Override
  public boolean readsCookieInAnotherWay(String name) {
    return RawCookies.areReadInAnotherWay(given(name), headers("Cookie"), name);
  }

  /** A cookie without a value is an empty one. */
  private List<String> given(String name) {
    Cookie[] cookies = request.getCookies();
    return cookies == null
        ? List.of()
        : Stream.of(cookies)
            .filter(cookie -> cookie.getName().equals(name))
            .map(cookie -> orEmpty(cookie.getValue()))
            .toList();
  }

  @Override
  public Optional<String> principal() {
    return Optional.ofNullable(request.getUserPrincipal()).map(Principal::getName);
  }

  @Override
  public boolean isUserInRole(String role) {
    return request.isUserInRole(role);
  }

  @Override
  public Optional<String> peerAddress() {
    return Optional.ofNullable(request.getRemoteAddr());
  }

  @Override
  public @Nullable Object attribute(String name) {
    return request.getAttribute(name);
  }

  @Override
  public void attribute(String name, Object value) {
    request.setAttribute(name, value);
  }

  @Override
  public boolean canWaitAside() {
    return canWaitAside;
  }

  /** Servlets know patterns, not templates. */
  @Override
  public Optional<String> matchedTemplate() {
    return Optional.empty();
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
