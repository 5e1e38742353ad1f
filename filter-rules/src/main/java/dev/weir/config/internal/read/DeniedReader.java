package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Forms;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.DenialResponse;
import dev.weir.http.OnDenial;
import dev.weir.internal.InvalidValueException;
import dev.weir.internal.Spelling;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the response to a denial: a word for all of it, or a map of what differs. The map at the
 * top differs from the problem, and that of a rule from what stands at the top.
 */
final class DeniedReader {

  private static final String PROBLEM = "problem";
  private static final String ERROR_PAGE = "error-page";
  private static final List<String> WORDS = List.of(PROBLEM, ERROR_PAGE);
  private static final String EXPECTED =
      "problem, error-page, or a map with status, headers, html, json and forward";
  private static final String HEADERS_EXPECTED = "fields by name, such as { X-Denied-By: shop }";
  private static final String HTML_EXPECTED =
      "a page, as a path in the application such as /WEB-INF/too-many.html, a file or classpath:NAME";
  private static final String JSON_EXPECTED =
      "problem, or a map such as { error: too-many, seconds: \"{seconds}\" }";
  private static final String FORWARD_EXPECTED = "a path within the application such as /too-many";

  private static final Key<Value> STATUS =
      Key.of("status", new ValueType.Form("429 or 503", "429|503"), "503")
          .means("The status of what a limit denies.")
          .otherwise("429");

  private static final Key<Section> HEADERS =
      Key.of(
              "headers",
              new ValueType.ByName(
                  HEADERS_EXPECTED, new ValueType.Form("the value of a field", Forms.ANY)),
              "{ X-Denied-By: \"{rule}\" }")
          .means("Further fields. Those of a rule replace those of `responses` as a whole.");

  private static final Key<Value> HTML =
      Key.of("html", new ValueType.Form(HTML_EXPECTED, Forms.ANY), "/WEB-INF/too-many.html")
          .means("The page for clients that prefer HTML, in UTF-8 and at most 256 KiB.")
          .otherwise("none: they receive JSON");

  private static final Key<Value> JSON =
      Key.of(
              "json",
              new ValueType.AnyOf(
                  JSON_EXPECTED,
                  new ValueType.Form(PROBLEM),
                  new ValueType.JsonObject(JSON_EXPECTED)),
              "{ error: too-many, seconds: \"{seconds}\" }")
          .means("What all other clients receive. Its strings may have placeholders.")
          .otherwise("`problem`");

  private static final Key<Value> FORWARD =
      Key.of("forward", new ValueType.Form(FORWARD_EXPECTED, "/\\S*"), "/too-many")
          .means(
              "The path that answers clients that prefer HTML, in place of `html`. Servlet filters"
                  + " alone can forward.");

  private static final KeyGroup KEYS =
      KeyGroup.of(
              "a map with status, headers, html, json and forward",
              STATUS,
              HEADERS,
              HTML,
              JSON,
              FORWARD)
          .withHints(
              Map.of(
                  "code", "status: 429 or 503",
                  "header", "headers: " + HEADERS_EXPECTED,
                  "body", "html: a page, or json: an object",
                  "page", "html: a page, or forward: a path within the application",
                  "redirect", "forward: a path within the application",
                  "error-page", "denied: error-page, without a map",
                  "problem", "json: problem"));

  /** The type of the key at the top and in a rule. */
  static final ValueType.AnyOf TYPE =
      new ValueType.AnyOf(
          EXPECTED,
          new ValueType.Form("problem or error-page", "problem|error-page"),
          new ValueType.Mapping(KEYS));

  static final Key<Value> OF_RULE =
      Key.of("denied", TYPE, "{ json: { error: too-many-logins } }")
          .means(
              "What clients receive that this rule denies. A map has what differs from"
                  + " `responses.denied`.")
          .otherwise("as in `responses`");

  private DeniedReader() {}

  /** Returns the same with the rule's response to what it rejects. */
  static OnDenial ofRule(Section rule, OnDenial onDenial, DenialResponse otherwise) {
    boolean rejects = onDenial instanceof OnDenial.Reject || onDenial instanceof OnDenial.Delay;
    boolean onlyRefuses =
        ClientPolicyReader.DENY.isIn(rule)
            && !ClientPolicyReader.RULE_LIMITS.isIn(rule)
            && !ClientPolicyReader.OVERRIDES_OF_RULE.isIn(rule);
    Optional<Value> written = OF_RULE.in(rule);
    if (written.isPresent() && !rejects) {
      written
          .get()
          .problem("a response", "none, because 'on-denial' lets pass what this rule denies");
      return onDenial;
    }
    if (written.isPresent() && onlyRefuses) {
      written.get().problem("a response", "none, because clients that 'deny' refuses get 403");
      return onDenial;
    }
    DenialResponse response = written.map(value -> read(value, otherwise)).orElse(otherwise);
    if (written.isEmpty() && response.equals(DenialResponse.PROBLEM)) {
      return onDenial;
    }
    if (onDenial instanceof OnDenial.Delay delay) {
      return delay.respondingWith(response);
    }
    return onDenial instanceof OnDenial.Reject reject ? reject.respondingWith(response) : onDenial;
  }

  /** Returns the response, or else the other one if there is a problem. */
  static DenialResponse read(Value written, DenialResponse otherwise) {
    if (written.isMapping()) {
      return KEYS.read(written).map(map -> changed(map, otherwise)).orElse(otherwise);
    }
    Optional<String> word = written.text(EXPECTED);
    if (word.isPresent() && !WORDS.contains(word.get())) {
      written.problem(written.found(), EXPECTED, Spelling.nearest(word.get(), WORDS));
    }
    return word.filter(ERROR_PAGE::equals).isPresent()
        ? DenialResponse.ERROR_PAGE
        : DenialResponse.PROBLEM;
  }

  private static DenialResponse changed(Section map, DenialResponse otherwise) {
    DenialResponse response = otherwise;
    Optional<String> status = STATUS.in(map).flatMap(value -> value.oneOf(List.of("429", "503")));
    if (status.isPresent()) {
      response = response.withStatus(Integer.parseInt(status.get()));
    }
    Optional<Section> headers = HEADERS.in(map);
    if (headers.isPresent()) {
      response = response.withHeaders(headers(headers.get()));
    }
    Optional<Value> forward = FORWARD.in(map);
    if (forward.isPresent() && HTML.isIn(map)) {
      forward.get().problem("forward together with html", "only one of html, forward");
    } else {
      response = withPage(map, response);
    }
    Optional<Value> json = JSON.in(map);
    return json.isPresent() ? withJson(json.get(), response) : response;
  }

  /**
   * Reads headers. Each problem is reported at its own header, and those of all at the last one.
   */
  private static Map<String, String> headers(Section map) {
    Map<String, String> headers = new LinkedHashMap<>();
    map.forEach(
        (name, value) ->
            value
                .text("the value of a field")
                .flatMap(
                    text ->
                        value.check(
                            () -> {
                              Map<String, String> all = new LinkedHashMap<>(headers);
                              all.put(name, text);
                              return DenialResponse.PROBLEM.withHeaders(all).headers();
                            }))
                .ifPresent(headers::putAll));
    return headers;
  }

  private static DenialResponse withPage(Section map, DenialResponse response) {
    Optional<DenialResponse> forward =
        FORWARD.in(map).flatMap(value -> value.parsed(FORWARD_EXPECTED, response::withForward));
    return HTML.in(map)
        .flatMap(value -> page(value).map(response::withHtml))
        .or(() -> forward)
        .orElse(response);
  }

  private static DenialResponse withJson(Value json, DenialResponse response) {
    if (json.isText(PROBLEM)) {
      return response.withProblem();
    }
    if (!json.isMapping()) {
      json.refuse(JSON_EXPECTED);
      return response;
    }
    return JsonReader.text(json)
        .flatMap(text -> json.check(() -> response.withJson(text)))
        .orElse(response);
  }

  private static Optional<String> page(Value value) {
    Optional<String> place = value.text(HTML_EXPECTED);
    if (place.isEmpty()) {
      return Optional.empty();
    }
    if (place.get().startsWith("<")) {
      return value.refuse(HTML_EXPECTED);
    }
    try (InputStream in = value.reading().open(place.get())) {
      if (in == null) {
        return value.isAssumedFile() ? Optional.empty() : value.refuse("a page that exists");
      }
      byte[] bytes = in.readNBytes(DenialResponse.MOST_HTML + 1);
      if (bytes.length > DenialResponse.MOST_HTML) {
        return value.refuse("a page of 256 KiB at most");
      }
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      DenialResponse unused = DenialResponse.PROBLEM.withHtml(text);
      return Optional.of(text);
    } catch (InvalidPathException notAPath) {
      return value.refuse(HTML_EXPECTED);
    } catch (CharacterCodingException notUtf8) {
      return value.refuse("a page in UTF-8");
    } catch (IOException unreadable) {
      return value.refuse("a page that can be read");
    } catch (InvalidValueException refused) {
      value.problem(
          refused.value() + " in " + value.found(), refused.expected(), refused.suggestion());
      return Optional.empty();
    }
  }
}
