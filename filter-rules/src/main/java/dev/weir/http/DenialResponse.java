package dev.weir.http;

import dev.weir.http.internal.client.Tokens;
import dev.weir.http.internal.response.TextTemplate;
import dev.weir.internal.Expect;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The response to a request that a limit denies. Immutable.
 *
 * <pre>{@code
 * DenialResponse response =
 *     DenialResponse.PROBLEM
 *         .withStatus(503)
 *         .withHeaders(Map.of("X-Denied-By", "{rule}"))
 *         .withForward("/too-many")
 *         .withJson("{\"error\":\"too many requests\",\"seconds\":\"{seconds}\"}");
 * }</pre>
 *
 * <p>A client that prefers HTML, as a browser does for a page, receives the page. All other clients
 * receive JSON. With only one of the two, all clients receive that one.
 *
 * <p>Texts may have placeholders: <code>{seconds}</code> until a retry can succeed, <code>{limit}
 * </code> that denies, and <code>{rule}</code> of that limit. Their values are escaped for the
 * place where they stand. A placeholder without a value is empty: a retry may never succeed, and
 * during an outage no limit denies. Then a header with it is left out, and a JSON value that is
 * only the placeholder is {@code null}. A JSON value that is only <code>{seconds}</code> is a
 * number.
 *
 * @param status 429, or 503. A denial that counts nothing has 503 in any case
 * @param headers further fields, by name
 * @param page what clients receive that prefer HTML; empty when they receive JSON too
 * @param json what all other clients receive; empty when they receive the page too
 */
public record DenialResponse(
    int status, Map<String, String> headers, Optional<Page> page, Optional<Json> json) {

  /** What clients receive that prefer HTML. */
  public sealed interface Page {

    /** The container's error page for the status. */
    record ErrorPage() implements Page {}

    /**
     * This page.
     *
     * @param text with placeholders; sent as {@code text/html} in UTF-8
     */
    record Html(String text) implements Page {}

    /**
     * What the application answers to a GET of another path. Only a servlet filter can forward.
     * Elsewhere clients receive JSON.
     *
     * @param path within the application
     */
    record Forward(String path) implements Page {}
  }

  /** What clients receive that do not prefer HTML. */
  public sealed interface Json {

    /** {@code application/problem+json}, RFC 9457. */
    record Problem() implements Json {}

    /**
     * This object.
     *
     * @param text with placeholders in its strings; sent as {@code application/json}
     */
    record Own(String text) implements Json {}
  }

  /** The most characters of a page. */
  public static final int MOST_HTML = 256 << 10;

  private static final int MOST_JSON = 16 << 10;
  private static final int MOST_HEADERS = 16;

  /** The most characters of all headers. Servers answer 500 where fields are longer than 8 KiB. */
  private static final int MOST_IN_HEADERS = 4 << 10;

  private static final Pattern VALUE = Pattern.compile("[!-~]([ -~\t]*[!-~])?");
  private static final Pattern PATH = Pattern.compile("/[^\\s\\p{Cntrl}]*");

  /** Fields that are not for a configuration to set, in lower case, and why. */
  private static final Map<String, String> REFUSED =
      Map.ofEntries(
          Map.entry("retry-after", "no Retry-After: each denial has the right one already"),
          Map.entry("cache-control", "no Cache-Control: denials are never stored"),
          Map.entry("set-cookie", "no cookie: it would replace those of the application"),
          Map.entry("content-type", "no Content-Type: the body determines it"),
          Map.entry("content-length", "no Content-Length: the body determines it"),
          Map.entry("content-encoding", "no Content-Encoding: the body determines it"),
          Map.entry("content-range", "no Content-Range: the body determines it"),
          Map.entry("transfer-encoding", "no Transfer-Encoding: the server determines it"),
          Map.entry("trailer", "no Trailer: the server determines it"),
          Map.entry("connection", "no Connection: the server determines it"),
          Map.entry("keep-alive", "no Keep-Alive: the server determines it"),
          Map.entry("proxy-connection", "no Proxy-Connection: the server determines it"),
          Map.entry("upgrade", "no Upgrade: the server determines it"));

  /** The problem of RFC 9457, with 429. */
  public static final DenialResponse PROBLEM =
      new DenialResponse(429, Map.of(), Optional.empty(), Optional.of(new Json.Problem()));

  /** The container's error page, with 429. */
  public static final DenialResponse ERROR_PAGE =
      new DenialResponse(429, Map.of(), Optional.of(new Page.ErrorPage()), Optional.empty());

  /**
   * @throws IllegalArgumentException when the status is another, a header is invalid or not
   *     allowed, a text is too long or has an unknown placeholder, or there is neither a page nor
   *     JSON
   */
  public DenialResponse {
    Objects.requireNonNull(page, "page");
    Objects.requireNonNull(json, "json");
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    if (status != 429 && status != 503) {
      throw Expect.failure("status", status, "429 or 503");
    }
    checkHeaders(headers);
    page.ifPresent(DenialResponse::check);
    if (json.isPresent() && json.get() instanceof Json.Own own) {
      checkLength("json", own.text(), MOST_JSON);
      if (!own.text().startsWith("{") || !own.text().endsWith("}")) {
        throw Expect.failure("json", own.text(), "a JSON object, in { and }");
      }
      TextTemplate.ofJson("json", own.text());
    }
    if (page.isEmpty() && json.isEmpty()) {
      throw Expect.failure("json", "nothing", "JSON, or a page");
    }
  }

  private static void checkHeaders(Map<String, String> headers) {
    Set<String> names = new HashSet<>();
    int characters = 0;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      String name = header.getKey();
      String lower = name.toLowerCase(Locale.ROOT);
      if (!Tokens.isToken(name)) {
        throw Expect.failure(
            "headers", "'" + name + "'", "the name of a field, such as X-Denied-By");
      }
      if (lower.startsWith("ratelimit") || lower.startsWith("x-ratelimit")) {
        throw Expect.failure(
            "headers",
            "'" + name + "'",
            "no field of limits: 'fields' and 'legacy-headers' choose those");
      }
      if (REFUSED.containsKey(lower)) {
        throw Expect.failure("headers", "'" + name + "'", REFUSED.get(lower));
      }
      if (!names.add(lower)) {
        throw Expect.failure("headers", "'" + name + "'", "each field once");
      }
      if (!VALUE.matcher(header.getValue()).matches()) {
        throw Expect.failure(
            "headers", "'" + header.getValue() + "'", "a value of printable ASCII on one line");
      }
      characters += name.length() + TextTemplate.of("headers", header.getValue()).longest();
    }
    if (headers.size() > MOST_HEADERS) {
      throw Expect.failure("headers", headers.size() + " headers", "at most " + MOST_HEADERS);
    }
    if (characters > MOST_IN_HEADERS) {
      throw Expect.failure(
          "headers",
          characters + " characters",
          "at most " + MOST_IN_HEADERS + ", where {limit} and {rule} count 128 each");
    }
  }

  private static void check(Page page) {
    if (page instanceof Page.Html html) {
      checkLength("html", html.text(), MOST_HTML);
      TextTemplate.of("html", html.text());
    }
    if (page instanceof Page.Forward forward && !PATH.matcher(forward.path()).matches()) {
      throw Expect.failure(
          "forward",
          "'" + forward.path() + "'",
          "a path within the application that starts with /, without blanks");
    }
  }

  private static void checkLength(String field, String text, int most) {
    if (text.length() > most) {
      throw Expect.failure(field, text.length() + " characters", "at most " + most);
    }
  }

  /** Returns the same with this status, 429 or 503. */
  public DenialResponse withStatus(int other) {
    return new DenialResponse(other, headers, page, json);
  }

  /** Returns the same with these headers, in place of others. */
  public DenialResponse withHeaders(Map<String, String> others) {
    return new DenialResponse(status, others, page, json);
  }

  /** Returns the same with this page for clients that prefer HTML. */
  public DenialResponse withHtml(String text) {
    return new DenialResponse(status, headers, Optional.of(new Page.Html(text)), json);
  }

  /** Returns the same with a forward to this path for clients that prefer HTML. */
  public DenialResponse withForward(String path) {
    return new DenialResponse(status, headers, Optional.of(new Page.Forward(path)), json);
  }

  /** Returns the same without a page. All clients receive JSON. */
  public DenialResponse withoutPage() {
    Json kept = json.orElseGet(Json.Problem::new);
    return new DenialResponse(status, headers, Optional.empty(), Optional.of(kept));
  }

  /** Returns the same with this JSON object for all other clients. */
  public DenialResponse withJson(String text) {
    return new DenialResponse(status, headers, page, Optional.of(new Json.Own(text)));
  }

  /** Returns the same with a problem of RFC 9457 for all other clients. */
  public DenialResponse withProblem() {
    return new DenialResponse(status, headers, page, Optional.of(new Json.Problem()));
  }
}
