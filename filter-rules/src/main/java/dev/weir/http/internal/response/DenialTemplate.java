package dev.weir.http.internal.response;

import dev.weir.http.DenialResponse;
import dev.weir.http.DenialResponse.Json;
import dev.weir.http.DenialResponse.Page;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Body;
import dev.weir.http.spi.Outcome.Body.Text;
import dev.weir.http.spi.Outcome.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A {@link DenialResponse} whose texts are cut at their placeholders once. Immutable. */
final class DenialTemplate {

  private static final String HTML = "text/html;charset=UTF-8";
  private static final String JSON = "application/json";
  private static final Field VARIES = new Field("Vary", "Accept");

  private final DenialResponse response;
  private final Map<String, TextTemplate> headers = new LinkedHashMap<>();
  private final Optional<TextTemplate> html;
  private final Optional<TextTemplate> json;

  DenialTemplate(DenialResponse response) {
    this.response = response;
    response.headers().forEach((name, text) -> headers.put(name, TextTemplate.of(name, text)));
    html =
        response.page().isPresent() && response.page().get() instanceof Page.Html own
            ? Optional.of(TextTemplate.of("html", own.text()))
            : Optional.empty();
    json =
        response.json().isPresent() && response.json().get() instanceof Json.Own own
            ? Optional.of(TextTemplate.ofJson("json", own.text()))
            : Optional.empty();
  }

  /**
   * Returns the rejection.
   *
   * @param fields that every denial has; this adds to them
   * @param accept the lines of the request's field
   */
  Outcome.Rejected rejected(
      ProblemBody problem, List<Field> fields, DenialFacts facts, List<String> accept) {
    if (response.equals(DenialResponse.PROBLEM)) { // nearly always
      return new Outcome.Rejected(problem.status(), fields, List.of(), problem.body());
    }
    List<Field> added = new ArrayList<>(2);
    headers.forEach(
        (name, template) ->
            template
                .header(facts)
                .map(value -> new Field(name, value))
                .ifPresent(
                    field -> (name.equalsIgnoreCase(VARIES.name()) ? added : fields).add(field)));
    boolean isNegotiated = response.page().isPresent() && response.json().isPresent();
    if (isNegotiated) {
      added.add(VARIES);
    }
    boolean isPage =
        isNegotiated ? AcceptField.of(accept).prefersHtml() : response.page().isPresent();
    Body body = isPage ? page(response.page().get(), problem, facts) : json(problem, facts);
    return new Outcome.Rejected(problem.status(), fields, added, body);
  }

  private Body page(Page page, ProblemBody problem, DenialFacts facts) {
    if (html.isPresent()) {
      return new Text(HTML, html.get().html(facts));
    }
    return page instanceof Page.Forward forward
        ? new Body.Forward(forward.path(), json(problem, facts))
        : new Body.ErrorPage(problem.withoutPolicies().body());
  }

  private Text json(ProblemBody problem, DenialFacts facts) {
    return json.map(own -> new Text(JSON, own.json(facts))).orElseGet(problem::body);
  }
}
