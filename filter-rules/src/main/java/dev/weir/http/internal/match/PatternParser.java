package dev.weir.http.internal.match;

import dev.weir.http.RequestMatcher;
import dev.weir.http.Rule;
import dev.weir.internal.Expect;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
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

  private static final String ANY_DEPTH = "**";

  /** In upper case, then in lower case. */
  private static final String HEXADECIMAL = "0123456789ABCDEF0123456789abcdef";

  /** How often a pattern may have {@code **}, so that a path is read as often at most. */
  private static final int MOST_DEPTHS = 4;

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
    int start = slash < 0 ? trimmed.lastIndexOf("*.") : slash;
    if (start < 0) {
      throw malformed("a path that starts with '/', as in '/login' or 'POST /login', or '*.do'");
    }
    Set<String> methods = methods(trimmed.substring(0, start));
    String target = trimmed.substring(start);
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
    // an extension alone stands at any depth, as in the mappings of servlets
    String[] parts =
        path.startsWith("/") ? path.substring(1).split("/", -1) : new String[] {ANY_DEPTH, path};
    int last = parts.length - 1;
    boolean trailingSlash = parts[last].isEmpty();
    List<String> segments = new ArrayList<>();
    for (int i = 0; i < (trailingSlash ? last : parts.length); i++) {
      segments.add(segment(parts[i], i == last));
    }
    validateDepths(segments, trailingSlash);
    return new RequestPattern(text, methods, host, List.copyOf(segments), trailingSlash, path);
  }

  private String segment(String segment, boolean isLast) {
    if (segment.isEmpty()) {
      throw malformed("no empty segment '//' within the path");
    }
    if (segment.equals(ANY_DEPTH)) {
      return RequestPattern.ANY_DEPTH;
    }
    if (segment.equals("*")) {
      return RequestPattern.ANY;
    }
    if (isTemplate(segment)) {
      return RequestPattern.ANY;
    }
    refuseRegularExpression(segment);
    if (segment.indexOf('*') >= 0) {
      return extension(segment, isLast);
    }
    String literal = decoded(segment);
    if (literal.equals(".") || literal.equals("..")) {
      throw malformed("no '.' or '..' segment");
    }
    return literal;
  }

  /** Reads {@code *.do}. As for servlets, an extension is what follows the last dot. */
  private String extension(String segment, boolean isLast) {
    if (!segment.startsWith("*.") || segment.length() == 2 || segment.indexOf('*', 1) > 0) {
      throw malformed(
          "'*' alone in its segment, as in '/a/*/b', or before the extension, as in '*.do'");
    }
    if (!isLast) {
      throw malformed("'" + segment + "' as the last segment only");
    }
    String extension = decoded(segment.substring(1));
    if (extension.lastIndexOf('.') > 0) {
      throw malformed("one dot after '*', as in '*.gz': the extension follows the last dot");
    }
    return RequestPattern.ANY + extension;
  }

  private void validateDepths(List<String> segments, boolean trailingSlash) {
    String depth = RequestPattern.ANY_DEPTH;
    if (Collections.indexOfSubList(segments, List.of(depth, depth)) >= 0) {
      throw malformed("one '**' instead of '**/**'");
    }
    int last = segments.lastIndexOf(depth);
    if (trailingSlash && last >= 0 && last == segments.size() - 1) {
      throw malformed("no '/' after '**' at the end");
    }
    if (Collections.frequency(segments, depth) > MOST_DEPTHS) {
      throw malformed("'**' at most " + MOST_DEPTHS + " times");
    }
  }

  /** Decodes {@code %xx} once, as containers do: what cannot be written stands in a path so. */
  private String decoded(String segment) {
    if (segment.indexOf('%') < 0) {
      return segment;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < segment.length(); ) {
      if (segment.charAt(i) == '%') {
        bytes.write(octet(segment, i));
        i += 3;
      } else {
        String character = Character.toString(segment.codePointAt(i));
        bytes.writeBytes(character.getBytes(StandardCharsets.UTF_8));
        i += character.length();
      }
    }
    try {
      String decoded =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes.toByteArray()))
              .toString();
      if (decoded.indexOf('/') >= 0) {
        throw malformed("no '%2F', for a segment has no slash");
      }
      if (decoded.chars().anyMatch(Character::isISOControl)) {
        throw malformed("a path without control characters");
      }
      return decoded;
    } catch (CharacterCodingException notUtf8) {
      throw malformed("characters in UTF-8, as in '/caf%C3%A9' or '/café'");
    }
  }

  private int octet(String segment, int percent) {
    int octet = 0;
    for (int i = percent + 1; i <= percent + 2; i++) {
      int digit = i < segment.length() ? HEXADECIMAL.indexOf(segment.charAt(i)) : -1;
      if (digit < 0) {
        throw malformed(
            "two hexadecimal digits after '%', as in '/my%20docs'; '%25' is '%' itself");
      }
      octet = octet * 16 + digit % 16;
    }
    return octet;
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
            case ' ' -> "a path without blanks: '%20' is one, as in '/my%20docs'";
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
