package dev.weir.bench.jmh;

import dev.weir.http.RequestView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A GET that no container has parsed: a path, an address, and nothing else. */
public final class MemoryRequest implements RequestView {

  private final String path;
  private final String peer;
  private final Map<String, Object> attributes = new HashMap<>();

  public MemoryRequest(String path, String peer) {
    this.path = path;
    this.peer = peer;
  }

  @Override
  public String method() {
    return "GET";
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
    return List.of();
  }

  @Override
  public List<String> queries(String name) {
    return List.of();
  }

  @Override
  public List<String> cookies(String name) {
    return List.of();
  }

  @Override
  public Optional<String> principal() {
    return Optional.empty();
  }

  @Override
  public boolean isUserInRole(String role) {
    return false;
  }

  @Override
  public Optional<String> peerAddress() {
    return Optional.of(peer);
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
