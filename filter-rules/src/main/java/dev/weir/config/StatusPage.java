package dev.weir.config;

import dev.weir.http.RequestView;
import dev.weir.http.Rule;
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
 * <p>It shows the configuration of the init-param {@code config}. Without that, it shows what its
 * application has opened first, and opens nothing.
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
    Weir weir =
        StatusParams.hasConfiguration(source)
            ? Weir.open(source.withParams(StatusParams.ofConfiguration(source)))
            : Registry.GLOBAL.joinFirst(source.withParams(Map.of()));
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
   * Returns the answer to this request. Empty if the request may not read the page: then the
   * container answers 404.
   *
   * @param received the request as the container made it. A filter may hide fields of proxies
   * @param request the same, as the filters of the application have passed it on, with its user
   */
  public Optional<Answer> answer(RequestView received, RequestView request) {
    Optional<Answer> silence = Optional.empty();
    Set<String> headersOfProxies = Set.of();
    try {
      headersOfProxies = weir.clientAddress().headers();
    } catch (ConfigurationException waiting) {
      silence = Optional.of(Answer.sentence(503, "No configuration is open yet."));
    } catch (IllegalStateException closed) {
      silence = Optional.of(Answer.sentence(503, "The configuration is closed."));
    }
    Optional<String> refusal = access.refusal(received, request.principal(), headersOfProxies);
    if (refusal.isPresent()) {
      LOG.log(Level.DEBUG, () -> "the status page answers 404: " + refusal.get());
      return Optional.empty();
    }
    return silence.or(() -> Optional.of(allowed(request)));
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
      Set<Rule> rules = weir.activeRules();
      return switch (format.get()) {
        case JSON -> Answer.of(200, JSON, StatusJson.of(status, rules) + "\n");
        case PROMETHEUS ->
            Answer.of(200, PROMETHEUS, PrometheusText.of(StatusMetrics.of(status, rules), status));
      };
    } catch (IllegalStateException closed) {
      return Answer.sentence(503, "The configuration is closed.");
    }
  }

  @Override
  public void close() {
    weir.close();
  }
}
