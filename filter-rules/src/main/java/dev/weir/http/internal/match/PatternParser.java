package dev.weir.http.internal.match;

import dev.weir.http.RequestMatcher;
import dev.weir.http.Rule;
import dev.weir.internal.Expect;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A parser for one pattern. {@link RequestMatcher#parse} documents the grammar. */
public final class PatternParser {

  private static final String FORM =
      "a pattern such as '/api/**', 'POST /login' or '//shop.example/api/**'";

  private static final Pattern HOST = Pattern.compile("(\\*\\.)?[\\w-]+(\\.[\\w-]+)*");

  private final String field;
  private final String text;

  private PatternParser(String field, String text) {
    this.field = field;
    this.text = text;
  }

  /**
   * Reads a pattern. Error messages begin with the field, which is {@code match} or {@code except}.
   */
  public static RequestPattern parse(String field, String text) {
    return new PatternParser(field, text).pattern();
  }

  /** Returns the patterns of which one must match. */
  public static List<RequestPattern> match(RequestMatcher matcher) {
    return matcher.match().stream().map(text -> parse("match", text)).toList();
  }

  /** Returns the patterns of which none may match. */
  public static List<RequestPattern> except(RequestMatcher matcher) {
    return matcher.except().stream().map(text -> parse("except", text)).toList();
  }

  /** Returns all patterns of a rule, which may have none. */
  public static Stream<RequestPattern> all(Rule rule) {
    return rule.match().stream()
        .flatMap(matcher -> Stream.concat(match(matcher).stream(), except(matcher).stream()));
  }

  private RequestPattern pattern() {
    String trimmed = text.strip();
    if (trimmed.isEmpty()) {
      throw malformed(FORM);
    }
    int slash = trimmed.indexOf('/');
    if (slash < 0) {
      throw malformed("a path that starts with '/', as in '/login' or 'POST /login'");
    }
    Set<String> methods = methods(trimmed.substring(0, slash));
    String target = trimmed.substring(slash);
    if (!target.startsWith("//")) {
      return pattern(methods, "", target);
    }
    int path = target.indexOf('/', 2);
    if (path < 0) {
      throw malformed("a path after the host, as in '//shop.example/**'");
    }
    RequestPattern pattern =
        pattern(methods, host(target.substring(2, path)), target.substring(path));
    if (field.equals("except")) {
      throw malformed("no host: clients choose it, and could switch the rule off");
    }
    return pattern;
  }

  private RequestPattern pattern(Set<String> methods, String host, String path) {
    validateCharacters(path);
    List<String> segments = new ArrayList<>();
    String[] parts = path.substring(1).split("/", -1);
    int last = parts.length - 1;
    boolean trailingSlash = parts[last].isEmpty();
    boolean rest = parts[last].equals("**");
    int count = trailingSlash || rest ? last : parts.length;
    for (int i = 0; i < count; i++) {
      segments.add(segment(parts[i]));
    }
    return new RequestPattern(
        text, methods, host, List.copyOf(segments), rest, trailingSlash, path);
  }

  private String segment(String segment) {
    if (segment.isEmpty()) {
      throw malformed("no empty segment '//' within the path");
    }
    if (segment.equals("**")) {
      throw malformed("'**' as the last segment only");
    }
    if (segment.equals(".") || segment.equals("..")) {
      throw malformed("no '.' or '..' segment");
    }
    if (segment.equals("*")) {
      return RequestPattern.ANY;
    }
    if (segment.indexOf('*') >= 0) {
      throw malformed("'*' alone in its segment, as in '/a/*/b'");
    }
    if (isTemplate(segment)) {
      return RequestPattern.ANY;
    }
    refuseRegularExpression(segment);
    return segment;
  }

  /** Refuses what other software reads as alternatives or classes of characters, and none sends. */
  private void refuseRegularExpression(String segment) {
    if (segment.indexOf('|') >= 0) {
      throw malformed("a list with a pattern for each alternative, as in [/a, /b], not '|'");
    }
    if (segment.indexOf('<') >= 0 || segment.indexOf('>') >= 0) {
      throw malformed(
          "'{name}' or '*' for a segment that varies, as in '/users/{id}', not '<name>'");
    }
    if (segment.indexOf('[') >= 0 || segment.indexOf(']') >= 0) {
      throw malformed(
          "'{name}' or '*' for a segment that varies, or a pattern for each text, not '[' and ']'");
    }
  }

  private boolean isTemplate(String segment) {
    if (segment.indexOf('{') < 0 && segment.indexOf('}') < 0) {
      return false;
    }
    boolean template =
        segment.length() > 2
            && segment.startsWith("{")
            && segment.endsWith("}")
            && segment
                .substring(1, segment.length() - 1)
                .chars()
                .allMatch(c -> Character.isLetterOrDigit(c) || c == '_' || c == '-');
    if (!template) {
      throw malformed("a template '{name}' that is a whole segment, of letters, digits, '_', '-'");
    }
    return true;
  }

  private void validateCharacters(String path) {
    for (int i = 0; i < path.length(); i++) {
      char character = path.charAt(i);
      String expectation =
          switch (character) {
            case '?' -> "a path without a query string";
            case '#' -> "a path without a fragment";
            case ';' -> "a path without ';' parameters, which are ignored in requests";
            case '%' -> "a decoded path, without '%'";
            case '\\' -> "'/' between segments, not '\\'";
            default ->
                Character.isWhitespace(character) || Character.isISOControl(character)
                    ? "a path without blanks or control characters"
                    : "";
          };
      if (!expectation.isEmpty()) {
        throw malformed(expectation);
      }
    }
  }

  private Set<String> methods(String list) {
    if (list.isEmpty()) {
      return Set.of();
    }
    if (!Character.isWhitespace(list.charAt(list.length() - 1))) {
      throw malformed("a path that starts with '/', after methods and a blank if there are any");
    }
    Set<String> methods = new LinkedHashSet<>();
    for (String item : list.split(",", -1)) {
      String method = item.strip();
      if (!MethodCandidates.isRegistered(method)) {
        throw malformed(
            "registered HTTP methods in upper case, as in 'GET,PUT /x', but found '"
                + method
                + "'");
      }
      methods.add(method);
    }
    if (methods.contains("GET")) {
      methods.add("HEAD");
    }
    return Set.copyOf(methods);
  }

  private String host(String host) {
    if (!HOST.matcher(host).matches()) {
      throw malformed("a host name without a port, as in '//shop.example/**' or '//*.example/**'");
    }
    return host.toLowerCase(Locale.ROOT);
  }

  private IllegalArgumentException malformed(String expectation) {
    return Expect.failure(field, "'" + text + "'", expectation);
  }
}
