package dev.weir.http;

import dev.weir.http.internal.client.Tokens;
import dev.weir.http.internal.match.HostName;
import dev.weir.http.internal.match.MethodCandidates;
import dev.weir.internal.Expect;
import dev.weir.store.Subject;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * One part of a subject: where its values are read, and what chooses them.
 *
 * @param kind as it is configured, such as {@code header:x-api-key}
 */
record SubjectPart(String kind, Choice choice, Reader reader) {

  /** What chooses a part's value. */
  enum Choice {
    /** Nothing: it is the address, or the same for all. */
    NONE,
    /** The requested route, from a finite set. */
    ROUTE,
    /** The server, which has verified it. */
    SERVER,
    /** The client, by the host that it names: every request has one, a preflight too. */
    HOST,
    /** The client, freely. */
    CLIENT
  }

  private static final String FORMS =
      "ip, header:NAME, query:NAME, cookie:NAME, principal, host, path, method or global";

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

  /**
   * Reads a part. {@link SubjectResolver#parse} documents the forms.
   *
   * @throws IllegalArgumentException when it has none of these forms
   */
  static SubjectPart parse(String text) {
    String part = text.strip();
    int colon = part.indexOf(':');
    return colon < 0 ? plain(text, part) : named(text, part, colon);
  }

  private static SubjectPart plain(String text, String part) {
    return switch (part) {
      case "ip" -> new SubjectPart(part, Choice.NONE, context -> List.of(context.ip()));
      case "global" -> new SubjectPart(part, Choice.NONE, context -> ALL);
      // in its one spelling, so that a client cannot have a bucket for each
      case "host" ->
          new SubjectPart(
              part,
              Choice.HOST,
              context -> values(context.request().host().map(HostName::canonical)));
      case "path" -> new SubjectPart(part, Choice.ROUTE, context -> values(context.template()));
      case "method" -> new SubjectPart(part, Choice.ROUTE, SubjectPart::method);
      case "principal" ->
          new SubjectPart(part, Choice.SERVER, context -> values(context.request().principal()));
      case "header", "query", "cookie" ->
          throw malformed(text, part + ":NAME, as in " + part + ":X-API-Key");
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
              context -> context.request().cookies(name));
      case "query" ->
          new SubjectPart(
              "query:" + parameter(text, name),
              Choice.CLIENT,
              context -> values(context.request().query(name)));
      default -> throw malformed(text, FORMS);
    };
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
  private static List<String> method(RequestContext context) {
    String method = context.request().method();
    if (method.equals("HEAD")) {
      return List.of("GET");
    }
    return List.of(MethodCandidates.isRegistered(method) ? method : "other");
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
