package dev.weir.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.http.internal.client.Tokens;
import dev.weir.http.internal.match.HostName;
import dev.weir.http.internal.match.MethodCandidates;
import dev.weir.internal.Expect;
import dev.weir.internal.store.Sha256;
import dev.weir.store.Subject;
import java.security.Principal;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One part of a subject: where its values are read, and what chooses them.
 *
 * @param kind as it is configured, such as {@code header:x-api-key}
 * @param cookies the names of the cookies that are read
 * @param mayBeSeveral whether a request may have more than one value that counts
 */
record SubjectPart(
    String kind, Choice choice, Reader reader, List<String> cookies, boolean mayBeSeveral) {

  /** What chooses a part's value. */
  enum Choice {
    /** Nothing: it is the address, or the same for all. */
    NONE,
    /** The requested route, from a finite set. */
    ROUTE,
    /** The server, which has verified it. */
    SERVER,
    /** The client, by the host or the path that it requests: a preflight has these too. */
    TARGET,
    /** The client, freely. */
    CLIENT
  }

  static final String FORMS =
      "ip, header:NAME, query:NAME, cookie:NAME, path:NAME, attribute:NAME, session:NAME,"
          + " principal, basic-user, host, path, method, global, or a class";

  /** The user name of Basic authentication. */
  static final String BASIC_USER = "basic-user";

  private static final String BASIC = "basic";
  private static final String FIRST_OF = "first-of(";
  private static final Pattern NO_DIGIT = Pattern.compile("[^A-Za-z0-9+/]");
  private static final Pattern VARIABLE = Pattern.compile("[\\p{L}\\p{Nd}_-]+");
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  /** The value of a path variable of all requests whose path could be any. */
  static final List<String> ANY_PATH = List.of("\0any path");

  /** The value of the part for all clients. It is not empty, since an empty value is missing. */
  private static final List<String> ALL =
      Subject.global().parts().stream().map(Subject.Part::value).toList();

  /** The kinds that do not distinguish one client from another. */
  private static final Set<String> OF_ALL = Set.of("global", "host", "path", "method");

  /**
   * Returns whether different clients have this subject. It is then one for all clients, a host or
   * route, or one for all clients without a distinguishing value. An address or a key may be shared
   * too. That cannot be known here.
   */
  static boolean isShared(Subject subject) {
    return subject.parts().stream()
        .allMatch(part -> OF_ALL.contains(part.kind()) || part.value().isEmpty());
  }

  /**
   * Reads every value that counts, which is nearly always one. If the request lacks it, there is
   * none, or an empty one.
   */
  @FunctionalInterface
  interface Reader {
    List<String> read(RequestContext context);
  }

  /** Creates a part with one value. */
  SubjectPart(String kind, Choice choice, Reader reader) {
    this(kind, choice, reader, List.of(), false);
  }

  /**
   * Reads a part. {@link SubjectResolver#parse} documents the forms.
   *
   * @throws IllegalArgumentException when it has none of these forms
   */
  static SubjectPart parse(String text) {
    String part = text.strip();
    int colon = part.indexOf(':');
    return colon < 0 || part.startsWith(BASIC_USER) ? plain(text, part) : named(text, part, colon);
  }

  private static SubjectPart plain(String text, String part) {
    return switch (part) {
      case "ip" -> new SubjectPart(part, Choice.NONE, context -> List.of(context.ip()));
      case "global" -> new SubjectPart(part, Choice.NONE, context -> ALL);
      // in its one spelling, so that a client cannot have a bucket for each
      case "host" ->
          new SubjectPart(
              part,
              Choice.TARGET,
              context -> values(context.request().host().map(HostName::canonical)));
      case "path" -> new SubjectPart(part, Choice.ROUTE, context -> values(context.template()));
      case "method" ->
          new SubjectPart(
              part, Choice.ROUTE, context -> List.of(method(context.request().method())));
      case "principal" ->
          new SubjectPart(part, Choice.SERVER, context -> values(context.request().principal()));
      case BASIC_USER, BASIC_USER + ":any-ip" ->
          new SubjectPart(part, Choice.CLIENT, SubjectPart::basicUser, List.of(), true);
      case "header", "query", "cookie" ->
          throw malformed(text, part + ":NAME, as in " + part + ":X-API-Key");
      case "attribute", "session" ->
          throw malformed(text, part + ":NAME, as in " + part + ":tenant");
      default -> throw malformed(text, FORMS);
    };
  }

  private static SubjectPart named(String text, String part, int colon) {
    String name = part.substring(colon + 1);
    return switch (part.substring(0, colon)) {
      case "header" ->
          new SubjectPart(
              "header:" + token(text, name).toLowerCase(Locale.ROOT),
              Choice.CLIENT,
              context -> first(context.request().headers(name)));
      // all of the name, because applications do not agree on which of two cookies they read
      case "cookie" ->
          new SubjectPart(
              "cookie:" + token(text, name),
              Choice.CLIENT,
              context -> context.request().cookies(name),
              List.of(name),
              true);
      case "query" ->
          new SubjectPart(
              "query:" + parameter(text, name),
              Choice.CLIENT,
              context -> values(context.request().query(name)));
      case "path" ->
          new SubjectPart(
              "path:" + variable(text, name),
              Choice.TARGET,
              context -> context.pathVariable(name),
              List.of(),
              true);
      case "attribute" ->
          new SubjectPart(
              "attribute:" + name(text, name),
              Choice.SERVER,
              context -> text(context.request().attribute(name)));
      case "session" ->
          new SubjectPart(
              "session:" + name(text, name),
              Choice.SERVER,
              context -> text(context.request().sessionAttribute(name)));
      default -> throw malformed(text, FORMS);
    };
  }

  /**
   * Returns a part that has the values of all these places: a client could otherwise send its key
   * in the one place and made-up keys in the other.
   *
   * @param places each {@code header:NAME}, {@code query:NAME} or {@code cookie:NAME}
   * @throws IllegalArgumentException when one is another part, or there are fewer than two or more
   *     than four
   */
  static SubjectPart firstOf(List<String> places) {
    List<SubjectPart> parts = places.stream().map(SubjectPart::parse).toList();
    for (SubjectPart part : parts) {
      if (!KeyPlace.isOne(part)) {
        throw Expect.failure(
            "first-of", "'" + part.kind() + "'", "header:NAME, query:NAME or cookie:NAME");
      }
    }
    List<String> kinds = parts.stream().map(SubjectPart::kind).distinct().toList();
    boolean isEachOnce = kinds.size() == parts.size();
    if (!isEachOnce || kinds.size() < 2 || kinds.size() > SubjectResolver.MOST_SUBJECTS) {
      throw Expect.failure("first-of", places, "two to four places, each once");
    }
    return new SubjectPart(
        FIRST_OF + String.join(",", kinds) + ")",
        Choice.CLIENT,
        context ->
            parts.stream()
                .flatMap(part -> part.reader.read(context).stream())
                .filter(value -> !value.isEmpty())
                .distinct()
                .toList(),
        parts.stream().flatMap(part -> part.cookies.stream()).toList(),
        true);
  }

  /** Returns the places where a request carries it. None where no client sends it as a key. */
  List<String> keyPlaces() {
    if (kind.startsWith(BASIC_USER)) {
      return List.of("header:authorization");
    }
    if (kind.startsWith(FIRST_OF)) {
      return List.of(kind.substring(FIRST_OF.length(), kind.length() - 1).split(",", -1));
    }
    return KeyPlace.isOne(this) ? List.of(kind) : List.of();
  }

  private static List<String> values(Optional<String> value) {
    return value.isPresent() ? List.of(value.get()) : List.of();
  }

  /**
   * Returns the first line, because {@code getHeader} and {@code @HeaderParam} return that one to
   * the application. If the lines were joined, a client could add lines that no application reads.
   * Each change would create a new bucket for one key.
   */
  private static List<String> first(List<String> lines) {
    return lines.size() < 2 ? lines : lines.subList(0, 1);
  }

  /**
   * Returns the method. HEAD counts as GET, and all methods that are not registered count as one.
   */
  private static String method(String method) {
    if (method.equals("HEAD")) {
      return "GET";
    }
    return MethodCandidates.isRegistered(method) ? method : "other";
  }

  /** Returns the text of a value that the application has set, if it tells clients apart. */
  private static List<String> text(@Nullable Object value) {
    if (value instanceof Principal principal) {
      return Stream.ofNullable(principal.getName()).toList();
    }
    return value instanceof String || value instanceof Number
        ? List.of(value.toString())
        : List.of();
  }

  /**
   * Returns the digest of each name that credentials of the request may have. Containers differ in
   * which line they read, in what may stand around the name, and in where they stop. So each line
   * is read as leniently as any of them does. Credentials without a name that can be read have one
   * name together: if they had none, a client could be counted apart by them.
   */
  private static List<String> basicUser(RequestContext context) {
    return context.request().headers("Authorization").stream()
        .filter(line -> line.regionMatches(true, 0, BASIC, 0, BASIC.length()))
        .map(line -> digest(basicUser(line)))
        .toList();
  }

  private static String digest(String user) {
    return BASE64.encodeToString(Sha256.PLAIN.of(user));
  }

  /** Returns a value that an operator has written as requests with it are counted. */
  String counted(String written) {
    return switch (kind) {
      case BASIC_USER, BASIC_USER + ":any-ip" -> digest(written.strip());
      case "host" -> HostName.canonical(written);
      case "method" -> method(written);
      default -> written;
    };
  }

  /** Stops at a padding, ignores what is no digit, and drops a last digit that is too few. */
  private static String basicUser(String line) {
    String encoded = line.substring(Math.min(line.length(), BASIC.length() + 1));
    String digits =
        NO_DIGIT
            .matcher(encoded.split("=", 2)[0].replace('-', '+').replace('_', '/'))
            .replaceAll("");
    int whole = digits.length() - (digits.length() % 4 == 1 ? 1 : 0);
    byte[] credentials = Base64.getDecoder().decode(digits.substring(0, whole));
    return new String(credentials, UTF_8).split(":", 2)[0].strip();
  }

  private static String variable(String text, String name) {
    if (!VARIABLE.matcher(name).matches()) {
      throw malformed(text, "a variable of the pattern, as in path:id for /orders/{id}");
    }
    return name;
  }

  private static String name(String text, String name) {
    if (name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
      throw malformed(text, "the name of an attribute after the colon, as in attribute:tenant");
    }
    return name;
  }

  private static String token(String text, String name) {
    if (!Tokens.isToken(name)) {
      throw malformed(text, "a name of letters, digits and " + Tokens.MARKS + " after the colon");
    }
    return name;
  }

  private static String parameter(String text, String name) {
    if (name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
      throw malformed(text, "the name of a query parameter after the colon, as in query:api_key");
    }
    return name;
  }

  private static IllegalArgumentException malformed(String text, String expectation) {
    return Expect.failure("subject", "'" + text + "'", expectation);
  }
}
