package dev.weir.config.internal.read;

import dev.weir.config.internal.document.ParseError;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.UserClass;
import dev.weir.config.internal.document.Value;
import dev.weir.http.Missing;
import dev.weir.http.SubjectFunction;
import dev.weir.http.SubjectResolver;
import dev.weir.internal.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the subject: a part, a list of parts, or classes of the user. */
final class SubjectReader {

  static final String EXPECTED =
      "ip, header:NAME, query:NAME, cookie:NAME, principal, path, method, global, a list of these,"
          + " or a class";

  private static final List<String> KINDS =
      List.of("ip", "header", "query", "cookie", "principal", "path", "method", "global");

  private static final Map<String, Missing> MISSING = new LinkedHashMap<>();

  static {
    for (Missing behaviour : Missing.values()) {
      MISSING.put(behaviour.toString(), behaviour);
    }
  }

  private final UserClass userClass;

  SubjectReader(ClassLoader classLoader) {
    this.userClass = new UserClass(classLoader);
  }

  /**
   * Reads the subject of a rule, by default the address. The result is empty when there is a
   * problem.
   */
  Optional<SubjectResolver> read(Section rule) {
    Missing missing = rule.value("missing").flatMap(v -> v.oneOf(MISSING)).orElse(Missing.IP);
    return rule.value("subject")
        .map(subject -> read(subject, missing))
        .orElseGet(() -> Optional.of(SubjectResolver.parse(List.of("ip"), missing)));
  }

  private Optional<SubjectResolver> read(Value subject, Missing missing) {
    List<Value> items = subject.items(EXPECTED);
    List<SubjectResolver> parts = new ArrayList<>();
    for (Value item : items) {
      part(item, missing).ifPresent(parts::add);
    }
    return parts.isEmpty() || parts.size() < items.size()
        ? Optional.empty()
        : together(subject, parts);
  }

  private Optional<SubjectResolver> part(Value item, Missing missing) {
    Optional<String> text = item.text(EXPECTED);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (UserClass.isName(text.get())) {
      return userClass
          .make(item, text.get(), SubjectFunction.class)
          .map(function -> SubjectResolver.of(text.get(), function, missing));
    }
    try {
      return Optional.of(SubjectResolver.parse(List.of(text.get()), missing));
    } catch (IllegalArgumentException refused) {
      ParseError parseError = ParseError.of(refused, text.get(), EXPECTED);
      item.problem(
          parseError.found(),
          parseError.expected(),
          parseError.suggestion().or(() -> respelt(text.get())));
      return Optional.empty();
    }
  }

  private static Optional<SubjectResolver> together(Value subject, List<SubjectResolver> parts) {
    return subject.making(
        EXPECTED,
        () -> parts.stream().reduce(SubjectResolver::and).orElseThrow(IllegalStateException::new));
  }

  /**
   * Suggests a spelling. Only the kind before the colon can be misspelt, since the client chooses
   * the name after it.
   */
  private static Optional<String> respelt(String part) {
    int colon = part.indexOf(':');
    return colon < 0
        ? Spelling.nearest(part, KINDS)
        : Spelling.nearest(part.substring(0, colon), KINDS)
            .map(kind -> kind + part.substring(colon));
  }
}
