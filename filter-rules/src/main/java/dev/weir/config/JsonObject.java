package dev.weir.config;

import dev.weir.internal.JsonText;
import dev.weir.internal.Redaction;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** A writer of one JSON object. Credentials of URIs are masked in all names and texts. */
final class JsonObject {

  private final StringJoiner members = new StringJoiner(",", "{", "}");

  JsonObject add(String name, String text) {
    return member(name, quoted(text));
  }

  JsonObject add(String name, long number) {
    return member(name, Long.toString(number));
  }

  JsonObject add(String name, boolean value) {
    return member(name, Boolean.toString(value));
  }

  JsonObject add(String name, JsonObject object) {
    return member(name, object.toString());
  }

  JsonObject add(String name, Collection<JsonObject> objects) {
    return member(
        name,
        objects.stream().map(JsonObject::toString).collect(Collectors.joining(",", "[", "]")));
  }

  JsonObject add(String name, Map<String, Long> counts) {
    JsonObject object = new JsonObject();
    counts.forEach(object::add);
    return add(name, object);
  }

  /** Adds a duration in seconds, to the nanosecond. */
  JsonObject addSeconds(String name, Duration duration) {
    return member(name, Double.toString(duration.toNanos() / 1e9));
  }

  private JsonObject member(String name, String json) {
    members.add(quoted(name) + ":" + json);
    return this;
  }

  private static String quoted(String text) {
    return JsonText.quoted(text.lines().map(Redaction::masked).collect(Collectors.joining("\n")));
  }

  @Override
  public String toString() {
    return members.toString();
  }
}
