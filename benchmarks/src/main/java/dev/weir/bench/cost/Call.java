package dev.weir.bench.cost;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A script call that a client has sent. The meaning of its arguments is private to the client; only
 * its keys are known.
 *
 * @param arguments of {@code EVALSHA}
 */
record Call(List<String> arguments) {

  private static final String COMMAND = "EVALSHA";
  private static final Pattern LINE = Pattern.compile("\\S+ \\[\\d+ (\\S+)] (.*)");
  private static final Pattern WORD = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

  // of the arguments
  private static final int KEYS_NUMBER = 1;
  private static final int FIRST_KEY = 2;

  /**
   * Parses a line of {@code MONITOR}; empty for what a script calls, and for any other command.
   *
   * @throws IllegalStateException when an argument is not printable
   */
  static Optional<Call> of(String line) {
    Matcher whole = LINE.matcher(line);
    if (!whole.matches() || whole.group(1).equals("lua")) {
      return Optional.empty();
    }
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(whole.group(2));
    while (word.find()) {
      words.add(word.group(1));
    }
    if (!words.get(0).toUpperCase(Locale.ROOT).equals(COMMAND)) {
      return Optional.empty();
    }
    if (words.stream().anyMatch(one -> one.contains("\\"))) {
      throw new IllegalStateException("MONITOR: " + line + " (expected: printable arguments)");
    }
    return Optional.of(new Call(List.copyOf(words.subList(1, words.size()))));
  }

  /** Returns the calls on the keys that most of these use; it drops occasional other calls. */
  static List<Call> ofMost(List<Call> calls) {
    Map<List<String>, List<Call>> byKeys =
        calls.stream().collect(Collectors.groupingBy(Call::keys));
    return byKeys.values().stream()
        .max(Comparator.comparingInt(List::size))
        .orElseThrow(() -> new IllegalStateException("no call (expected: some)"));
  }

  List<String> keys() {
    return arguments.subList(FIRST_KEY, FIRST_KEY + Integer.parseInt(arguments.get(KEYS_NUMBER)));
  }

  /** Returns the same call on other keys. */
  Call on(UnaryOperator<String> renamed) {
    List<String> all = new ArrayList<>(arguments);
    all.subList(FIRST_KEY, FIRST_KEY + keys().size()).replaceAll(renamed);
    return new Call(all);
  }
}
