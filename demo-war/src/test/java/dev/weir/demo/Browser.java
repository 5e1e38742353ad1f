package dev.weir.demo;

import static org.awaitility.Awaitility.await;

import dev.weir.fixture.FreePorts;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A real browser without a window, steered through chromedriver by its plain HTTP (WebDriver). */
final class Browser implements AutoCloseable {

  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final List<String> FLAGS =
      List.of(
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync");

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process driver;
  private final URI base;
  private String session = "";

  /** Why there is no browser to test with; empty when there is one. */
  static Optional<String> missing() {
    return List.of(CHROMIUM, DRIVER).stream()
        .filter(file -> !Files.isExecutable(file))
        .findFirst()
        .map(file -> file + " is not installed");
  }

  Browser(Path profile, int width, int height) throws IOException {
    int port = FreePorts.next();
    base = URI.create("http://127.0.0.1:" + port);
    driver =
        new ProcessBuilder(DRIVER.toString(), "--port=" + port)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> isReady());
    JsonArrayBuilder arguments = Json.createArrayBuilder();
    FLAGS.forEach(arguments::add);
    arguments.add("--user-data-dir=" + profile).add("--window-size=" + width + "," + height);
    JsonObjectBuilder options =
        Json.createObjectBuilder().add("binary", CHROMIUM.toString()).add("args", arguments);
    JsonObjectBuilder wanted =
        Json.createObjectBuilder()
            .add("goog:chromeOptions", options)
            .add("goog:loggingPrefs", Json.createObjectBuilder().add("browser", "ALL"));
    JsonObjectBuilder capabilities = Json.createObjectBuilder().add("alwaysMatch", wanted);
    JsonObject created =
        post("/session", Json.createObjectBuilder().add("capabilities", capabilities))
            .asJsonObject();
    session = "/session/" + created.getString("sessionId");
  }

  void open(String url) {
    post(session + "/url", Json.createObjectBuilder().add("url", url));
  }

  /** Shows the page on a screen of this size. */
  void resize(int width, int height) {
    emulate(
        "Emulation.setDeviceMetricsOverride",
        Json.createObjectBuilder()
            .add("width", width)
            .add("height", height)
            .add("deviceScaleFactor", 1)
            .add("mobile", true));
  }

  /** Makes the system prefer something: {@code prefer("color-scheme", "dark")}. */
  void prefer(String feature, String value) {
    JsonObjectBuilder preference =
        Json.createObjectBuilder().add("name", "prefers-" + feature).add("value", value);
    emulate(
        "Emulation.setEmulatedMedia",
        Json.createObjectBuilder().add("features", Json.createArrayBuilder().add(preference)));
  }

  private void emulate(String command, JsonObjectBuilder parameters) {
    post(
        session + "/goog/cdp/execute",
        Json.createObjectBuilder().add("cmd", command).add("params", parameters));
  }

  /** Runs a script in the page; what it returns, as text. */
  String run(String script) {
    JsonValue value =
        post(
            session + "/execute/sync",
            Json.createObjectBuilder()
                .add("script", script)
                .add("args", Json.createArrayBuilder()));
    return value instanceof JsonString text ? text.getString() : value.toString();
  }

  /** What the browser complained of so far: errors of scripts, breaches of the page's policy. */
  List<String> complaints() {
    JsonArray entries =
        post(session + "/se/log", Json.createObjectBuilder().add("type", "browser")).asJsonArray();
    return entries.getValuesAs(JsonObject.class).stream()
        .map(entry -> entry.getString("message"))
        .toList();
  }

  private boolean isReady() {
    HttpRequest request = HttpRequest.newBuilder(base.resolve("/status")).build();
    return send(request).asJsonObject().getBoolean("ready");
  }

  private JsonValue post(String path, JsonObjectBuilder body) {
    return send(
        HttpRequest.newBuilder(base.resolve(path))
            .POST(HttpRequest.BodyPublishers.ofString(body.build().toString()))
            .build());
  }

  private JsonValue send(HttpRequest request) {
    try {
      String answer = http.send(request, BodyHandlers.ofString()).body();
      JsonValue value = Json.createReader(new StringReader(answer)).readObject().get("value");
      if (value instanceof JsonObject object && object.containsKey("error")) {
        throw new IllegalStateException(object.getString("message"));
      }
      return value == null ? JsonValue.NULL : value;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    List<ProcessHandle> children = driver.descendants().toList();
    if (!session.isEmpty()) {
      send(HttpRequest.newBuilder(base.resolve(session)).DELETE().build());
    }
    driver.destroyForcibly().onExit().join();
    children.forEach(ProcessHandle::destroyForcibly);
  }
}
