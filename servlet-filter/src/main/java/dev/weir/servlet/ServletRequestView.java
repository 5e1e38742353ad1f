package dev.weir.servlet;

import static java.util.Objects.requireNonNullElse;

import dev.weir.http.RequestView;
import dev.weir.http.spi.Completion.Response;
import dev.weir.http.spi.RawRequest;
import dev.weir.servlet.DelayedRequest.Room;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.MappingMatch;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A servlet request, and its response, as rules see them. Bodies are never read. */
final class ServletRequestView implements RequestView {

  /** True since Servlet 4. */
  private static final boolean TELLS_MAPPING =
      Stream.of(HttpServletRequest.class.getMethods())
          .anyMatch(method -> method.getName().equals("getHttpServletMapping"));

  private final HttpServletRequest request;
  private final @Nullable Room room;

  /** Creates the view of a request that waits on its thread. */
  ServletRequestView(HttpServletRequest request) {
    this(request, null);
  }

  /**
   * @param room says whether the request can wait without its thread; null if it cannot
   */
  ServletRequestView(HttpServletRequest request, @Nullable Room room) {
    this.request = request;
    this.room = room;
  }

  /**
   * Creates the view of a request as the container made it, without the wrappers of filters. One of
   * them may hide the fields of proxies and show the address that these name.
   */
  static ServletRequestView ofContainer(HttpServletRequest request) {
    return unwrapped(request) instanceof HttpServletRequest own
        ? new ServletRequestView(own)
        : new ServletRequestView(request);
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  /** Returns the path of the current dispatch: a forward changes it, an include does not. */
  @Override
  public String path() {
    String servlet = requireNonNullElse(request.getServletPath(), "");
    String rest = requireNonNullElse(request.getPathInfo(), "");
    if (rest.isEmpty()) {
      return servlet;
    }
    return servlet.isEmpty() ? rest : servlet + rest;
  }

  /**
   * Returns the path in the URI as it was sent. Frameworks that route by it, such as Jersey,
   * resolve no dots. Tomcat returns {@code /index.html} for {@code /} where that is the welcome
   * file.
   *
   * <p>Jersey cuts off the prefix of its own path by its length. For example, it may be mapped to
   * {@code /rest/*}. It then reads {@code /rest;login} as {@code /rest/login}, while the container
   * reads {@code /rest}.
   */
  @Override
  public List<String> otherPaths() {
    String context = requireNonNullElse(request.getContextPath(), "");
    String uri = requireNonNullElse(request.getRequestURI(), "");
    String path = path();
    boolean isContextAndPath =
        uri.length() == context.length() + path.length()
            && uri.startsWith(context)
            && uri.endsWith(path);
    if (isContextAndPath) {
      return List.of();
    }
    String inApplication = behind(context, uri);
    String servlet = requireNonNullElse(request.getServletPath(), "");
    return servlet.isEmpty() || !isMappedToPaths(servlet)
        ? List.of(inApplication)
        : List.of(inApplication, servlet + behind(context + servlet, uri));
  }

  private static String behind(String base, String uri) {
    return "/" + RawRequest.path(uri.substring(Math.min(uri.length(), base.length() + 1)));
  }

  /** Searches all mappings where Servlet 3.1 does not provide the mapping of a request. */
  private boolean isMappedToPaths(String servlet) {
    return TELLS_MAPPING
        ? request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH
        : request.getServletContext().getServletRegistrations().values().stream()
            .anyMatch(any -> any.getMappings().contains(servlet + "/*"));
  }

  @Override
  public Optional<String> host() {
    return Optional.ofNullable(request.getServerName());
  }

  @Override
  public List<String> headers(String name) {
    if (name.equalsIgnoreCase("Host")) {
      return hostField();
    }
    Enumeration<String> lines = request.getHeaders(name);
    return lines == null ? List.of() : Collections.list(lines);
  }

  private List<String> hostField() {
    return host()
        .map(host -> RawRequest.authority(host, request.getServerPort()))
        .map(authority -> RawRequest.hostField(request.getScheme(), authority))
        .stream()
        .toList();
  }

  /**
   * Reads the query string itself: {@code getParameter} also reads the body of a form. That body is
   * not the client's query, and the application could not read it afterwards.
   */
  @Override
  public List<String> queries(String name) {
    return RawRequest.queries(requireNonNullElse(request.getQueryString(), ""), name);
  }

  @Override
  public boolean declaresBody() {
    return RawRequest.declaresBody(request.getProtocol());
  }

  /** Reads the raw header too: Undertow returns only one cookie of each name. */
  @Override
  public List<String> cookies(String name) {
    return RawRequest.cookies(given(name), headers("Cookie"), name);
  }

  @Override
  public boolean readsCookieInAnotherWay(String name) {
    return RawRequest.readsCookieInAnotherWay(given(name), headers("Cookie"), name);
  }

  /**
   * Returns the values that the container read. A cookie without a value counts as empty. There are
   * none where the container throws because it cannot read them.
   */
  private List<String> given(String name) {
    try {
      return Stream.ofNullable(request.getCookies())
          .flatMap(Stream::of)
          .filter(cookie -> cookie.getName().equals(name))
          .map(cookie -> requireNonNullElse(cookie.getValue(), ""))
          .toList();
    } catch (RuntimeException malformed) {
      return List.of();
    }
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
    return RawRequest.peerAddress(request.getRemoteAddr(), () -> unwrapped(request));
  }

  /** Returns the request as the container made it. In Tomcat, not each has a servlet context. */
  private static ServletRequest unwrapped(ServletRequest request) {
    ServletRequest own = request;
    while (own instanceof ServletRequestWrapper wrapper) {
      own = wrapper.getRequest();
    }
    return own;
  }

  @Override
  public @Nullable Object attribute(String name) {
    return request.getAttribute(name);
  }

  @Override
  public @Nullable Object sessionAttribute(String name) {
    try {
      HttpSession session = request.getSession(false);
      return session == null ? null : session.getAttribute(name);
    } catch (IllegalStateException invalidated) {
      return null;
    }
  }

  @Override
  public void attribute(String name, Object value) {
    request.setAttribute(name, value);
  }

  @Override
  public boolean canWaitAside() {
    return room != null && room.isFor(request);
  }

  /** Returns empty: servlets have patterns, not templates. */
  @Override
  public Optional<String> matchedTemplate() {
    return Optional.empty();
  }

  /**
   * A response that has ended, while its container still has it and its request.
   *
   * @param context the path of the application, which Jetty before EE 10 no longer has at the end
   */
  record Ended(
      HttpServletRequest request, HttpServletResponse response, String context, boolean isComplete)
      implements Response {

    Ended(HttpServletRequest request, HttpServletResponse response) {
      this(request, response, requireNonNullElse(request.getContextPath(), ""), true);
    }

    /** Returns this response as one that the application has not finished. */
    Ended incomplete() {
      return new Ended(request, response, context, false);
    }

    boolean isCommitted() {
      return response.isCommitted();
    }

    @Override
    public int status() {
      return response.getStatus();
    }

    @Override
    public List<String> redirects() {
      boolean isRedirection = status() >= 300 && status() < 400;
      String location = isRedirection ? response.getHeader("Location") : null;
      return location == null
          ? List.of()
          : RawRequest.redirect(location, request.getRequestURL().toString(), context);
    }

    @Override
    public @Nullable Object attribute(String name) {
      return request.getAttribute(name);
    }
  }
}
