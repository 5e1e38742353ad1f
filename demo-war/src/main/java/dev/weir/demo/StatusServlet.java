package dev.weir.demo;

import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import dev.weir.config.WeirStatus;
import dev.weir.http.RequestCounts;
import dev.weir.redis.RedisStatus;
import dev.weir.redis.RedisStatus.Breaker;
import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /status}: the state of this node's limits. It opens the configuration that the filter
 * opens, so it shares the filter's {@link Weir}. It contains no subject, so no API key.
 */
public final class StatusServlet extends HttpServlet {

  @Serial private static final long serialVersionUID = 1L;

  private transient @Nullable Weir weir;
  private transient List<Integer> ports = List.of();

  @Override
  public void init() {
    ServletContext context = getServletContext();
    ports = Ports.of(context);
    weir =
        Weir.open(
            new WeirSource(
                getServletName(),
                Map.of(),
                context::getResourceAsStream,
                WeirSource.applicationClassLoader()));
  }

  @Override
  public void destroy() {
    if (weir != null) {
      weir.close();
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (weir == null) {
      throw new IllegalStateException("status: asked before init");
    }
    response.setHeader("Cache-Control", "no-store");
    JsonAnswer.write(json(weir.status(), request.getLocalPort()), response);
  }

  private JsonObject json(WeirStatus status, int port) {
    JsonArrayBuilder sisters = Json.createArrayBuilder();
    ports.forEach(sisters::add);
    return Json.createObjectBuilder()
        .add("node", status.node())
        .add("port", port)
        .add("ports", sisters)
        .add("store", status.store().name())
        .add("breaker", status.redis().map(StatusServlet::breaker).orElse("NONE"))
        .add("liveNodes", status.liveNodes())
        .add("decisions", decisions(status))
        .build();
  }

  /** Returns the worst state among several primaries; open while none has been found. */
  private static String breaker(RedisStatus redis) {
    List<Breaker> breakers = redis.primaries().stream().map(RedisStatus.Primary::breaker).toList();
    return Stream.of(Breaker.OPEN, Breaker.HALF_OPEN, Breaker.CLOSED)
        .filter(breakers::contains)
        .findFirst()
        .orElse(Breaker.OPEN)
        .name();
  }

  private static JsonArrayBuilder decisions(WeirStatus status) {
    JsonArrayBuilder decisions = Json.createArrayBuilder();
    for (RequestCounts.Decisions counted : status.decisions()) {
      decisions.add(
          Json.createObjectBuilder()
              .add("rule", counted.rule())
              .add("outcome", counted.outcome().name())
              .add("source", counted.source().map(Enum::name).orElse("RULE"))
              .add("count", counted.count()));
    }
    return decisions;
  }
}
