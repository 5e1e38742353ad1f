package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.UserClass;
import dev.weir.config.internal.document.Value;
import dev.weir.http.SubjectFunction;
import dev.weir.http.SubjectResolver;
import dev.weir.http.SubjectResolver.Missing;
import dev.weir.internal.Spelling;
import java.util.List;
import java.util.Optional;

/** Reads the subject: a part, a list of parts, or classes of the user. */
record SubjectReader(UserClass userClass) {

  private static final String EXPECTED =
      "ip, header:NAME, query:NAME, cookie:NAME, principal, path, method, global, a list of these,"
          + " or a class";

  private static final List<String> KINDS =
      List.of("ip", "header", "query", "cookie", "principal", "path", "method", "global");

  /**
   * Reads the subject of a rule, by default the address. The result is empty when there is a
   * problem.
   */
  Optional<SubjectResolver> read(Section rule) {
    Missing missing = rule.oneOf("missing", Missing.IP);
    SubjectResolver address = SubjectResolver.parse(List.of("ip"), missing);
    return rule.read("subject", address, subject -> read(subject, missing));
  }

  private Optional<SubjectResolver> read(Value subject, Missing missing) {
    List<Value> items = subject.items(EXPECTED);
    List<SubjectResolver> parts =
        items.stream().flatMap(item -> part(item, missing).stream()).toList();
    return parts.isEmpty() || parts.size() < items.size()
        ? Optional.empty()
        : subject.make(() -> parts.stream().reduce(SubjectResolver::and).orElseThrow());
  }

  private Optional<SubjectResolver> part(Value item, Missing missing) {
    Optional<String> text = item.text(EXPECTED);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    return UserClass.isName(text.get())
        ? userClass
            .make(item, EXPECTED, SubjectFunction.class)
            .map(function -> SubjectResolver.of(text.get(), function, missing))
        : item.parsed(
            EXPECTED,
            part -> SubjectResolver.parse(List.of(part), missing),
            SubjectReader::nearest);
  }

  /**
   * Suggests a spelling. Only the kind before the colon can be misspelt, since the client chooses
   * the name after it.
   */
  private static Optional<String> nearest(String part) {
    int colon = part.indexOf(':');
    return colon < 0
        ? Spelling.nearest(part, KINDS)
        : Spelling.nearest(part.substring(0, colon), KINDS)
            .map(kind -> kind + part.substring(colon));
  }
}
