package dev.weir.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.http.Rule;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The request to explain. What a rule counts by is never on the command line, where the process
 * list and the shell's history would have it: {@code @-} stands for a line of standard input.
 */
final class RequestOptions {

  private static final String READ = "@-";
  private static final Set<String> CREDENTIALS =
      Set.of("header:authorization", "header:proxy-authorization", "header:cookie");

  @Parameters(index = "0", paramLabel = "METHOD", description = "The method, such as GET.")
  @Nullable String method;

  @Parameters(
      index = "1",
      paramLabel = "PATH",
      description =
          "The path within the application, perhaps with a query. A parameter NAME=@- has its value"
              + " on standard input, after those of headers.")
  @Nullable String target;

  @Option(
      names = "-H",
      paramLabel = "'NAME: VALUE'",
      description =
          "A header. With 'NAME: @-' its value is a line of standard input, in the order of the"
              + " options.")
  List<String> headers = new ArrayList<>();

  @Option(
      names = "--peer",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "The address that connects to the application (${DEFAULT-VALUE}).")
  String peer = "127.0.0.1";

  @Option(names = "--user", paramLabel = "NAME", description = "The authenticated user.")
  @Nullable String user;

  @Option(names = "--role", paramLabel = "NAME", description = "A role of the user.")
  List<String> roles = new ArrayList<>();

  private boolean hasRead;

  /** Returns whether a value came from standard input, and so must not be shown. */
  boolean hasRead() {
    return hasRead;
  }

  boolean reads() {
    return headers.stream().anyMatch(header -> value(header).equals(READ))
        || queryPairs().stream().anyMatch(pair -> pair.endsWith("=" + READ));
  }

  ExplainedRequest request(List<Rule> rules, Terminal terminal) {
    Set<String> secret = new TreeSet<>(CREDENTIALS);
    rules.forEach(rule -> secret.addAll(rule.keyPlaces()));
    Map<String, List<String>> fields = new HashMap<>();
    for (String header : headers) {
      int colon = header.indexOf(':');
      if (colon < 1) {
        throw Failure.usage("-H", "a text without a colon", "'NAME: VALUE', or 'NAME: @-'");
      }
      String name = header.substring(0, colon).strip();
      String place = "header:" + name.toLowerCase(Locale.ROOT);
      String value = read(place, value(header), secret, terminal);
      fields.computeIfAbsent(name.toLowerCase(Locale.ROOT), first -> new ArrayList<>()).add(value);
    }
    return new ExplainedRequest(
        Objects.requireNonNull(method),
        path() + query(secret, terminal),
        fields,
        peer,
        Optional.ofNullable(user),
        Set.copyOf(roles));
  }

  private static String value(String header) {
    return header.substring(header.indexOf(':') + 1).strip();
  }

  private String path() {
    return Objects.requireNonNull(target).split("\\?", 2)[0];
  }

  private List<String> queryPairs() {
    String[] parts = Objects.requireNonNull(target).split("\\?", 2);
    return parts.length < 2 ? List.of() : List.of(parts[1].split("&", -1));
  }

  private String query(Set<String> secret, Terminal terminal) {
    List<String> pairs = new ArrayList<>();
    for (String pair : queryPairs()) {
      String[] parts = pair.split("=", 2);
      String value = parts.length < 2 ? "" : parts[1];
      String given = read("query:" + parts[0], value, secret, terminal);
      boolean isRead = value.equals(READ);
      pairs.add(parts[0] + "=" + (isRead ? URLEncoder.encode(given, UTF_8) : given));
    }
    return pairs.isEmpty() ? "" : "?" + String.join("&", pairs);
  }

  /** Returns the value, read if it says so. Refuses one that should be read. */
  private String read(String place, String value, Set<String> secret, Terminal terminal) {
    if (value.equals(READ)) {
      hasRead = true;
      return terminal.value(place);
    }
    if (secret.contains(place) && !value.isEmpty()) {
      throw Failure.usage(
          place,
          "a value on the command line, which the process list and the shell's history have",
          "@- in its place, and the value on standard input");
    }
    return value;
  }
}
