package dev.weir.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request in memory: a value to read, with the attributes that stay on it. */
public final class FakeRequest implements RequestView {

  private final String method;
  private final @Nullable String path;
  private final Map<String, List<String>> headers = new HashMap<>();
  private final Map<String, List<String>> queries = new HashMap<>();
  private final Map<String, List<String>> cookies = new HashMap<>();
  private final Set<String> roles = new HashSet<>();
  private final Map<String, Object> attributes = new HashMap<>();
  private final Map<String, Object> session = new HashMap<>();
  private @Nullable String host;
  private @Nullable String principal;
  private @Nullable String peer = "192.0.2.1";
  private @Nullable String template;
  private boolean waitsAside;
  private boolean readsCookies;
  private boolean declaresBody;
  private boolean isRecycled;

  private FakeRequest(String method, @Nullable String path) {
    this.method = method;
    this.path = path;
  }

  public static FakeRequest get(String path) {
    return new FakeRequest("GET", path);
  }

  public static FakeRequest post(String path) {
    return new FakeRequest("POST", path);
  }

  public static FakeRequest of(String method, String path) {
    return new FakeRequest(method, path);
  }

  /** Returns a request with a path that the container refuses to return. */
  public static FakeRequest suspicious(String method) {
    return new FakeRequest(method, null);
  }

  /** The same request, sent once more. */
  public FakeRequest again() {
    FakeRequest again = new FakeRequest(method, path);
    again.headers.putAll(headers);
    again.queries.putAll(queries);
    again.cookies.putAll(cookies);
    again.roles.addAll(roles);
    again.host = host;
    again.principal = principal;
    again.peer = peer;
    again.template = template;
    again.waitsAside = waitsAside;
    again.declaresBody = declaresBody;
    return isPeerAddressRewritten() ? again.rewritten() : again;
  }

  /** The same request, which a filter has given another path. */
  public FakeRequest rewrittenTo(String path) {
    FakeRequest rewritten = new FakeRequest(method, path).from(peer);
    rewritten.attributes.putAll(attributes);
    return rewritten;
  }

  public FakeRequest from(@Nullable String peer) {
    this.peer = peer;
    return this;
  }

  /** Marks the peer's address as rewritten by Tomcat's RemoteIpValve. */
  public FakeRequest rewritten() {
    attributes.put("org.apache.tomcat.request.forwarded", true);
    return this;
  }

  /** One that its container can answer later. */
  public FakeRequest waitingAside() {
    waitsAside = true;
    return this;
  }

  /** One over a protocol in which a body needs a field. */
  public FakeRequest declaringBody() {
    declaresBody = true;
    return this;
  }

  @Override
  public boolean declaresBody() {
    return declaresBody;
  }

  /** Makes it one that its container has ended: nothing is kept on it any more. */
  public void recycle() {
    isRecycled = true;
  }

  public FakeRequest header(String name, String... lines) {
    headers
        .computeIfAbsent(name.toLowerCase(Locale.ROOT), key -> new ArrayList<>())
        .addAll(List.of(lines));
    return this;
  }

  public FakeRequest query(String name, String... values) {
    queries.put(name, List.of(values));
    return this;
  }

  public FakeRequest cookie(String name, String value) {
    cookies.computeIfAbsent(name, none -> new ArrayList<>()).add(value);
    return this;
  }

  /** Makes the server read a cookie of each name in a way of its own. */
  public FakeRequest readingCookies() {
    readsCookies = true;
    return this;
  }

  @Override
  public boolean readsCookieInAnotherWay(String name) {
    return readsCookies;
  }

  public FakeRequest principal(String name) {
    principal = name;
    return this;
  }

  /** Keeps a value in the client's session. */
  public FakeRequest session(String name, Object value) {
    session.put(name, value);
    return this;
  }

  @Override
  public @Nullable Object sessionAttribute(String name) {
    return session.get(name);
  }

  public FakeRequest roles(String... names) {
    roles.addAll(List.of(names));
    return this;
  }

  public FakeRequest host(String name) {
    host = name;
    return this;
  }

  public FakeRequest template(String template) {
    this.template = template;
    return this;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String path() {
    if (path == null) {
      throw new IllegalArgumentException("suspicious path");
    }
    return path;
  }

  @Override
  public Optional<String> host() {
    return Optional.ofNullable(host);
  }

  @Override
  public List<String> headers(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  @Override
  public List<String> queries(String name) {
    return queries.getOrDefault(name, List.of());
  }

  @Override
  public List<String> cookies(String name) {
    return cookies.getOrDefault(name, List.of());
  }

  @Override
  public Optional<String> principal() {
    return Optional.ofNullable(principal);
  }

  @Override
  public boolean isUserInRole(String role) {
    return roles.contains(role);
  }

  @Override
  public Optional<String> peerAddress() {
    return Optional.ofNullable(peer);
  }

  @Override
  public boolean canWaitAside() {
    return waitsAside;
  }

  @Override
  public @Nullable Object attribute(String name) {
    requireNotRecycled();
    return attributes.get(name);
  }

  @Override
  public void attribute(String name, Object value) {
    requireNotRecycled();
    attributes.put(name, value);
  }

  private void requireNotRecycled() {
    if (isRecycled) {
      throw new IllegalStateException("the request object has been recycled");
    }
  }

  @Override
  public Optional<String> matchedTemplate() {
    return Optional.ofNullable(template);
  }
}
