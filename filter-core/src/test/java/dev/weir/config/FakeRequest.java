package dev.weir.config;

import dev.weir.http.RequestView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request with a method, a path, an address and headers. */
final class FakeRequest implements RequestView {

  private final String method;
  private final String path;
  private final Map<String, String> headers;
  private final Map<String, Object> attributes = new HashMap<>();

  private FakeRequest(String method, String path, Map<String, String> headers) {
    this.method = method;
    this.path = path;
    this.headers = headers;
  }

  static FakeRequest get(String path) {
    return new FakeRequest("GET", path, Map.of());
  }

  static FakeRequest post(String path) {
    return new FakeRequest("POST", path, Map.of());
  }

  FakeRequest with(String header, String value) {
    return new FakeRequest(method, path, Map.of(header, value));
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public Optional<String> host() {
    return Optional.empty();
  }

  @Override
  public List<String> headers(String name) {
    return headers.entrySet().stream()
        .filter(header -> header.getKey().equalsIgnoreCase(name))
        .map(Map.Entry::getValue)
        .toList();
  }

  @Override
  public Optional<String> query(String name) {
    return Optional.empty();
  }

  @Override
  public Optional<String> cookie(String name) {
    return Optional.empty();
  }

  @Override
  public Optional<String> principal() {
    return Optional.empty();
  }

  @Override
  public Optional<String> peerAddress() {
    return Optional.of("192.0.2.7");
  }

  @Override
  public boolean isPeerAddressRewritten() {
    return false;
  }

  @Override
  public @Nullable Object attribute(String name) {
    return attributes.get(name);
  }

  @Override
  public void attribute(String name, Object value) {
    attributes.put(name, value);
  }

  @Override
  public Optional<String> matchedTemplate() {
    return Optional.empty();
  }
}
