package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Mistakes;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.CountedResponses;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads which responses a rule charges for. */
final class CountReader {

  private static final String EXPECTED =
      "a status such as 401, a class such as 4xx, a range such as 400-499, '!422' for all others,"
          + " redirect:/path, attribute:NAME, or a list of these";

  static final Key<Value> COUNT =
      Key.ofParam(
              "count",
              new ValueType.Items(
                  EXPECTED,
                  Pattern.compile(
                      "!?\\s*([1-5]([0-9]{2}|xx)(-[1-5]([0-9]{2}|xx))?|redirect:/\\S*)"
                          + "|attribute:\\S+")),
              "[401, 403]")
          .means(
              "The responses that count, by status, redirect or an attribute that the application"
                  + " sets. Others give their permits back.")
          .otherwise("all");

  private CountReader() {}

  /** Returns the responses that count, by default all. Problems are reported. */
  static CountedResponses read(Section rule) {
    Optional<Value> written = COUNT.in(rule);
    if (written.isEmpty()) {
      return CountedResponses.ALL;
    }
    List<String> entries =
        written
            .get()
            .each(
                EXPECTED,
                entry -> {
                  CountedResponses.parse(List.of(entry));
                  return entry;
                },
                text -> Mistakes.STATUSES.meant(text).or(() -> Mistakes.LIST.meant(text)));
    return entries.isEmpty()
        ? CountedResponses.ALL
        : written.get().check(() -> CountedResponses.parse(entries)).orElse(CountedResponses.ALL);
  }
}
