package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Mistakes;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.RequestFunction;
import dev.weir.http.SubjectResolver;
import dev.weir.http.SubjectResolver.Missing;
import dev.weir.internal.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the subject of a rule: a part, a list of parts, places of one key, or a user's class. */
final class SubjectReader {

  private static final String EXPECTED =
      "ip, header:NAME, query:NAME, cookie:NAME, path:NAME, attribute:NAME, session:NAME,"
          + " principal, basic-user, host, path, method, global, a list of these,"
          + " { first-of: [header:NAME, query:NAME] }, or a class";
  private static final String PLACES = "a list of places, as in [header:X-API-Key, query:api_key]";
  private static final List<String> PARTS =
      List.of(
          "ip",
          "header",
          "query",
          "cookie",
          "attribute",
          "session",
          "principal",
          "basic-user",
          "host",
          "path",
          "method",
          "global");

  private static final Pattern FORM =
      Pattern.compile(
          "ip|principal|host|path|method|global|basic-user(:any-ip)?"
              + "|(header|cookie|path|session|attribute):\\S+|query:.+"
              + "|([^\\s.:,]+\\.)+[^\\s.:,]+");

  /** The name of a class in a package. */
  private static final Pattern CLASS_NAME =
      Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)+");

  private static final Key<Value> FIRST_OF =
      Key.of(
              "first-of",
              new ValueType.Items(PLACES, Pattern.compile("(header|cookie):\\S+|query:.+")),
              "[header:X-API-Key, query:api_key]")
          .means(
              "Two to four places of one key, which is counted by its value, wherever it is. All"
                  + " that a request has are charged.");

  private static final KeyGroup PLACES_OF_KEY = KeyGroup.of("a map with first-of", FIRST_OF);

  static final Key<Value> SUBJECT =
      Key.ofParam(
              "subject",
              new ValueType.Items(
                  EXPECTED,
                  new ValueType.AnyOf(
                      EXPECTED,
                      new ValueType.Form(EXPECTED, FORM),
                      new ValueType.Mapping(PLACES_OF_KEY))),
              "header:X-API-Key")
          .means(
              "What is counted apart: a part of the request, several together, or a class of yours.")
          .otherwise("`ip`");

  static final Key.Defaulted<Missing> MISSING =
      Key.ofParam("missing", new ValueType.Choice<>(Missing.class), "shared")
          .means(
              "What stands for a part of the subject that a request lacks: its address, apart from"
                  + " rules by `ip`, or one value for all that lack it.")
          .or(Missing.IP);

  private SubjectReader() {}

  /** Returns the subject of this rule, by default the address. Empty if there is a problem. */
  static Optional<SubjectResolver> read(Section rule) {
    Missing missing = MISSING.orDefault(rule);
    Optional<Value> written = SUBJECT.in(rule);
    if (written.isEmpty()) {
      return Optional.of(SubjectResolver.parse(List.of("ip"), missing));
    }
    Value subject = written.get();
    List<Value> items = subject.itemsOrMap(EXPECTED);
    List<SubjectResolver> parts = new ArrayList<>();
    for (Value item : items) {
      part(item, missing).ifPresent(parts::add);
    }
    return parts.isEmpty() || parts.size() < items.size()
        ? Optional.empty()
        : subject.make(() -> parts.stream().reduce(SubjectResolver::and).orElseThrow());
  }

  private static Optional<SubjectResolver> part(Value item, Missing missing) {
    if (item.isMapping()) {
      return keyInPlaces(item, missing);
    }
    return item.isLike(CLASS_NAME)
        ? item.text(EXPECTED)
            .flatMap(
                name ->
                    item.instance(RequestFunction.class)
                        .map(function -> SubjectResolver.of(name, function, missing)))
        : item.parsed(
            EXPECTED,
            part -> SubjectResolver.parse(List.of(part), missing),
            SubjectReader::nearest);
  }

  private static Optional<SubjectResolver> keyInPlaces(Value item, Missing missing) {
    Optional<Value> places = item.names(EXPECTED).flatMap(FIRST_OF::in);
    if (places.isEmpty()) {
      return item.refuse(EXPECTED + ", without a blank in it, as in header:X-API-Key");
    }
    PLACES_OF_KEY.read(item);
    List<String> kinds = places.get().each(PLACES, place -> place, SubjectReader::nearest);
    return kinds.isEmpty()
        ? Optional.empty()
        : places.get().check(() -> SubjectResolver.firstOf(kinds, missing));
  }

  /**
   * Suggests a spelling. Only the kind before the colon can be misspelt, since the client chooses
   * the name after it.
   */
  private static Optional<String> nearest(String part) {
    int kind = part.indexOf(':') < 0 ? part.length() : part.indexOf(':');
    return Mistakes.LIST
        .meant(part)
        .or(() -> Mistakes.SUBJECT.meant(part))
        .or(
            () ->
                Spelling.nearest(part.substring(0, kind), PARTS)
                    .map(near -> near + part.substring(kind)));
  }
}
