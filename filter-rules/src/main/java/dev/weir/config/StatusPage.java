package dev.weir.config;

import dev.weir.http.RequestView;
import dev.weir.http.internal.page.PageAccess;
import dev.weir.http.internal.page.PageFormat;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A page that shows the status of one configuration, as JSON or as metrics for Prometheus. An
 * adapter renders its answers. It changes nothing, and shows no subject and no secret. Thread-safe.
 *
 * <p>Only the requests that the init-param {@code allow} describes are answered. Its value is a
 * list of addresses and networks of peers, or {@code authenticated}. Without it, nobody is
 * answered. The host of a request must be an IP address, {@code localhost}, or one of the
 * init-param {@code hosts}: a foreign page could otherwise read this one by DNS rebinding.
 *
 * <p>It shows the configuration of the init-param {@code config}. Without that, it {@linkplain
 * Weir#join joins} what its application has opened.
 */
public final class StatusPage implements AutoCloseable {

  private static final Logger LOG = System.getLogger("dev.weir.config");

  private static final String JSON = "application/json";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String SENTENCE = "text/plain; charset=utf-8";

  private final Weir weir;
  private final PageAccess access;

  /**
   * An answer to a request that is allowed to read the page.
   *
   * @param fields the header fields, without the length of the body
   * @param body in UTF-8. An answer to HEAD has its length only
   */
  public record Answer(int status, Map<String, String> fields, String body) {

    public Answer {
      Objects.requireNonNull(body, "body");
      fields = Map.copyOf(fields);
    }

    static Answer of(int status, String contentType, String body) {
      return new Answer(
          status,
          Map.of(
              "Content-Type", contentType,
              "Cache-Control", "no-store",
              "X-Content-Type-Options", "nosniff"),
          body);
    }

    static Answer sentence(int status, String sentence) {
      return of(status, SENTENCE, sentence + "\n");
    }

    Answer with(String field, String value) {
      Map<String, String> all = new HashMap<>(fields);
      all.put(field, value);
      return new Answer(status, all, body);
    }
  }

  private StatusPage(Weir weir, PageAccess access) {
    this.weir = weir;
    this.access = access;
  }

  /**
   * Opens a page with the init-params {@code allow}, {@code hosts} and {@code config}.
   *
   * @throws ConfigurationException when one of them is wrong, or the configuration is
   */
  public static StatusPage open(WeirSource source) {
    PageAccess access = Registry.reported(source, () -> StatusParams.access(source));
    Weir weir = Weir.join(source.withParams(StatusParams.ofConfiguration(source)));
    if (access.isForNobody()) {
      LOG.log(
          Level.WARNING,
          () ->
              source.title()
                  + ": the status page answers 404 to everybody, because it has no init-param"
                  + " 'allow'; set it to the addresses that may read it, such as '127.0.0.1,"
                  + " 10.1.2.0/24', or to 'authenticated'");
    }
    return new StatusPage(weir, access);
  }

  /**
   * Returns the answer to this request. Empty if the request may not know that there is a page: it
   * is answered as if there were none.
   *
   * @param request as the container made it. A filter may hide fields of proxies
   * @param user whom the application or its container has logged in
   */
  public Optional<Answer> answer(RequestView request, Optional<String> user) {
    Optional<String> refusal = access.refusal(request, user, headersOfProxies());
    if (refusal.isPresent()) {
      LOG.log(Level.DEBUG, () -> "the status page answers 404: " + refusal.get());
      return Optional.empty();
    }
    return Optional.of(allowed(request));
  }

  private Set<String> headersOfProxies() {
    try {
      return weir.clientAddress().headers();
    } catch (ConfigurationException | IllegalStateException notRunning) {
      return Set.of(); // then the page shows nothing
    }
  }

  private Answer allowed(RequestView request) {
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      return Answer.sentence(405, "The status page has GET and HEAD only.")
          .with("Allow", "GET, HEAD");
    }
    Optional<PageFormat> format = PageFormat.of(request);
    if (format.isEmpty()) {
      return Answer.sentence(400, "format: expected: json or prometheus");
    }
    try {
      WeirStatus status = weir.status();
      return switch (format.get()) {
        case JSON -> Answer.of(200, JSON, StatusJson.of(status, weir.activeRules()) + "\n");
        case PROMETHEUS -> Answer.of(200, PROMETHEUS, PrometheusText.of(weir.metrics(), status));
      };
    } catch (ConfigurationException waiting) {
      return Answer.sentence(503, "No configuration is open yet.");
    } catch (IllegalStateException closed) {
      return Answer.sentence(503, "The configuration is closed.");
    }
  }

  @Override
  public void close() {
    weir.close();
  }
}
