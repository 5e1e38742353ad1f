package dev.weir.http;

import dev.weir.http.SubjectPart.Choice;
import dev.weir.http.internal.decide.RuleEvents;
import dev.weir.http.internal.match.PathVariables;
import dev.weir.http.internal.match.PatternParser;
import dev.weir.http.internal.match.RequestPattern;
import dev.weir.internal.Expect;
import dev.weir.internal.store.Sha256;
import dev.weir.store.Subject;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Determines the subject that a request is counted for. Immutable and thread-safe.
 *
 * <p>Values are compared byte by byte, never folded. A request always has a subject. A part that is
 * missing or empty is replaced as {@link Missing} defines.
 */
public final class SubjectResolver {

  /**
   * The length of the longest value that is stored as it is. A longer value is stored as its
   * digest, so that a flood of them does not fill the memory.
   */
  private static final int LONGEST_VALUE = 256;

  /** The prefix of a digest. No value is kept with it. */
  private static final String DIGEST = "\0sha-256:";

  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  /**
   * The most subjects of one request. A browser sends two or three cookies of one name where paths
   * or domains overlap. Each subject may need its own call to Redis, so the number is small.
   */
  static final int MOST_SUBJECTS = 4;

  private final List<SubjectPart> written;
  private final List<SubjectPart> parts;
  private final Missing missing;
  private final boolean needsUser;
  private final boolean needsCredentials;
  private final boolean isAlwaysOne;

  private SubjectResolver(List<SubjectPart> parts, Missing missing) {
    this.written = List.copyOf(parts);
    this.parts = withAddress(written);
    this.missing = Objects.requireNonNull(missing, "missing");
    this.needsUser = isAnyChosenBy(Choice.SERVER);
    this.needsCredentials = isAnyChosenBy(Choice.SERVER, Choice.CLIENT);
    this.isAlwaysOne = this.parts.size() == 1 && !this.parts.get(0).mayBeSeveral();
    validate(this.parts);
  }

  /** Returns the parts, with the address where names of users are counted together with it. */
  private static List<SubjectPart> withAddress(List<SubjectPart> parts) {
    boolean isImplied =
        parts.stream().anyMatch(part -> part.kind().equals(SubjectPart.BASIC_USER))
            && parts.stream().noneMatch(part -> part.kind().equals("ip"));
    return isImplied
        ? Stream.concat(Stream.of(SubjectPart.parse("ip")), parts.stream()).toList()
        : parts;
  }

  /**
   * Reads the parts of a subject, which count together: each combination has its own counter.
   *
   * <ul>
   *   <li>{@code ip}: the client's address, as {@link ClientAddress} finds it
   *   <li>{@code header:NAME}: the first line of a header, which is the one that servlets and
   *       JAX-RS return to an application; further lines are ignored
   *   <li>{@code query:NAME}: the first value of a query parameter
   *   <li>{@code cookie:NAME}: a cookie's value; of several cookies that differ, each one
   *   <li>{@code path:NAME}: a variable of the rule's pattern, decoded once and without parameters
   *       such as {@code ;jsessionid}; where a path can be read in different ways, each value
   *   <li>{@code attribute:NAME}: what the application has set in an attribute of the request, in
   *       front of Weir: a text, a number or the name of a principal
   *   <li>{@code session:NAME}: the same in the client's session, if there is one
   *   <li>{@code principal}: the authenticated user
   *   <li>{@code basic-user}: the name that a client sends by Basic authentication, as a digest and
   *       together with {@code ip}, so that nobody locks another out. {@code basic-user:any-ip}
   *       counts it over all addresses
   *   <li>{@code host}: the host that the request names, in lower case, without a port and without
   *       a final dot
   *   <li>{@code path}: the template that the framework matched, or the rule's pattern
   *   <li>{@code method}: HEAD counts as GET
   *   <li>{@code global}: all clients together; it must be the only part
   * </ul>
   *
   * @throws IllegalArgumentException when there is no part, one is malformed or occurs twice; the
   *     message names what was found and what was expected
   */
  public static SubjectResolver parse(List<String> parts, Missing missing) {
    return new SubjectResolver(parts.stream().map(SubjectPart::parse).toList(), missing);
  }

  /** {@linkplain #parse(List, Missing) Reads} parts that fall back to the address when missing. */
  public static SubjectResolver parse(List<String> parts) {
    return parse(parts, Missing.IP);
  }

  /**
   * Returns a resolver for a key that clients send in one of several places, such as {@code
   * header:X-API-Key} and {@code query:api_key}. It is counted by value, wherever it is. If a
   * request has several keys, each is charged.
   *
   * @param places two to four, each {@code header:NAME}, {@code query:NAME} or {@code cookie:NAME}
   * @throws IllegalArgumentException when one is another part, or is not one of two to four
   */
  public static SubjectResolver firstOf(List<String> places, Missing missing) {
    return new SubjectResolver(List.of(SubjectPart.firstOf(places)), missing);
  }

  /** {@linkplain #parse(List, Missing) Reads} parts that fall back to the address when missing. */
  public static SubjectResolver of(String... parts) {
    return parse(List.of(parts));
  }

  /**
   * Returns a resolver for the subject that a user's function returns.
   *
   * @param name the name of the function in keys and messages, such as its class
   */
  public static SubjectResolver of(
      String name, Function<RequestView, Optional<String>> function, Missing missing) {
    Expect.notBlank("name", name);
    Objects.requireNonNull(function, "function");
    SubjectPart part =
        new SubjectPart(
            "class:" + name,
            Choice.SERVER,
            context -> function.apply(context.request()).stream().toList());
    return new SubjectResolver(List.of(part), missing);
  }

  /** Returns a resolver with the parts of both. Missing parts are replaced as this one defines. */
  public SubjectResolver and(SubjectResolver other) {
    return new SubjectResolver(
        Stream.concat(written.stream(), other.written.stream()).toList(), missing);
  }

  /** Returns whether any request is counted by its address, so that the address must be known. */
  public boolean needsAddress() {
    boolean canBeMissing = parts.stream().anyMatch(part -> part.choice() != Choice.NONE);
    return (canBeMissing && missing == Missing.IP)
        || parts.stream().anyMatch(part -> part.kind().equals("ip"));
  }

  /**
   * Returns whether the subject may need the authenticated user, so that authentication must come
   * first.
   */
  public boolean needsUser() {
    return needsUser;
  }

  /** Returns the names of the request's attributes that are read. */
  public List<String> attributes() {
    return names("attribute:");
  }

  /**
   * Requires that each pattern has the variables that are read.
   *
   * @throws IllegalArgumentException when one has not, or there are none
   */
  void requireVariables(Optional<RequestMatcher> match) {
    List<RequestPattern> patterns = match.map(PatternParser::match).orElse(List.of());
    for (String name : names("path:")) {
      if (patterns.isEmpty()) {
        throw Expect.failure(
            "subject", "'path:" + name + "'", "a pattern with {" + name + "} in match");
      }
      for (RequestPattern pattern : patterns) {
        if (!PathVariables.has(name, pattern)) {
          throw Expect.failure(
              "subject",
              "'path:" + name + "'",
              "a variable {%s} in each pattern of match, not between two '**', but '%s' has none"
                  .formatted(name, pattern.text()));
        }
      }
    }
  }

  private List<String> names(String prefix) {
    return parts.stream()
        .map(SubjectPart::kind)
        .filter(kind -> kind.startsWith(prefix))
        .map(kind -> kind.substring(prefix.length()))
        .toList();
  }

  /** Returns whether a client can create a new bucket by choosing another value. */
  public boolean isMintedByClients() {
    return isAnyChosenBy(Choice.CLIENT, Choice.TARGET);
  }

  /**
   * Returns whether a client can choose between subjects, if only by the route that it requests.
   */
  boolean isChosenByClients() {
    return isAnyChosenBy(Choice.CLIENT, Choice.TARGET, Choice.ROUTE);
  }

  /** Returns whether the server has verified a part of each subject, such as the user. */
  boolean isVerified() {
    return isAnyChosenBy(Choice.SERVER);
  }

  /** Returns whether the subject is the key of this place alone. */
  boolean isKeyIn(KeyPlace place) {
    return parts.size() == 1 && parts.get(0).kind().equals(place.kind());
  }

  /**
   * Returns what to expect instead of a ban by this subject. Empty if no client can make up the
   * subject of another one, and all clients do not share one.
   *
   * @param keys the place of the keys that the rule knows; empty if it knows none
   */
  Optional<String> insteadOfBans(Optional<KeyPlace> keys) {
    if (parts.stream().anyMatch(part -> part.kind().equals("ip"))) {
      return Optional.empty();
    }
    if (isVerified()) {
      return missing == Missing.IP
          ? Optional.empty()
          : Optional.of(
              "ip in the subject too, or 'missing: ip', for all that lack the subject share one");
    }
    if (isMintedByClients()) {
      return keys.filter(this::isKeyIn).isPresent()
          ? Optional.empty()
          : Optional.of(
              "ip or principal in the subject, or keys that the rule's tiers know, for a client can"
                  + " make this one up, and have others banned");
    }
    return Optional.of(
        "ip or principal in the subject, for all clients share this one, and would be banned");
  }

  private boolean isAnyChosenBy(Choice... choices) {
    return parts.stream().anyMatch(part -> List.of(choices).contains(part.choice()));
  }

  /**
   * Returns whether credentials or user code take part. A CORS preflight never carries credentials.
   */
  public boolean needsCredentials() {
    return needsCredentials;
  }

  /**
   * Returns every subject of the request. There is one, unless a part has several values. All of
   * them are charged, so a further value never makes a request cheaper.
   *
   * @return at least one and at most {@value #MOST_SUBJECTS}, plus those of a cookie that the
   *     server interprets in another way; none when there are more
   */
  List<Subject> resolve(RequestContext context, RuleEvents events) {
    if (isAlwaysOne) {
      return List.of(new Subject(resolve(parts.get(0), context, events)));
    }
    List<List<Subject.Part>> values = new ArrayList<>(parts.size());
    int combinations = 1;
    int sent = 1;
    for (SubjectPart part : parts) {
      List<Subject.Part> several = resolve(part, context, events);
      combinations *= several.size();
      boolean isReadInAnotherWay =
          several.size() > 1
              && part.cookies().stream().anyMatch(context.request()::readsCookieInAnotherWay);
      sent *= several.size() - (isReadInAnotherWay ? 1 : 0);
      if (sent > MOST_SUBJECTS) {
        return List.of();
      }
      values.add(several);
    }
    return combined(values, combinations);
  }

  /** Returns every value of one part with every value of the others. */
  private static List<Subject> combined(List<List<Subject.Part>> values, int combinations) {
    Subject[] subjects = new Subject[combinations];
    for (int i = 0; i < combinations; i++) {
      Subject.Part[] chosen = new Subject.Part[values.size()];
      int rest = i;
      for (int j = 0; j < chosen.length; j++) {
        List<Subject.Part> several = values.get(j);
        chosen[j] = several.get(rest % several.size());
        rest /= several.size();
      }
      subjects[i] = new Subject(List.of(chosen));
    }
    return List.of(subjects);
  }

  /** Returns each value once. If there are too many, returns only enough to detect that. */
  private List<Subject.Part> resolve(SubjectPart part, RequestContext context, RuleEvents events) {
    List<String> values = List.of();
    try {
      values = Objects.requireNonNull(part.reader().read(context), part.kind());
    } catch (RuntimeException e) {
      events.failed("subject " + part.kind() + " counts as missing", e);
    }
    if (values.size() < 2) {
      String value = values.isEmpty() ? "" : values.get(0);
      return List.of(value.isEmpty() ? absent(part, context) : present(part, value));
    }
    return values.stream()
        .distinct()
        .limit(MOST_SUBJECTS + 2L)
        .map(value -> value.isEmpty() ? absent(part, context) : present(part, value))
        .toList();
  }

  private Subject.Part absent(SubjectPart part, RequestContext context) {
    return missing == Missing.IP
        ? byAddress(part, context.ip())
        : new Subject.Part(part.kind(), "");
  }

  private static Subject.Part present(SubjectPart part, String value) {
    boolean isKept = value.length() <= LONGEST_VALUE && !value.startsWith(DIGEST);
    return new Subject.Part(
        part.kind(), isKept ? value : DIGEST + BASE64.encodeToString(Sha256.PLAIN.of(value)));
  }

  private static Subject.Part byAddress(SubjectPart missing, String ip) {
    return new Subject.Part("ip:" + missing.kind(), ip);
  }

  /** Returns the kinds of the parts, in order, such as {@code ip} and {@code header:x-api-key}. */
  public List<String> kinds() {
    return parts.stream().map(SubjectPart::kind).toList();
  }

  /**
   * Returns every subject that these values may be, as requests with them are counted: an IPv6
   * address by its prefix, a host in its one spelling, a long value by its digest. There are
   * several where an address may stand for a part that is missing.
   *
   * @param values one for each of the {@linkplain #kinds parts}, in order; addresses in any form,
   *     and names as clients send them. For {@code global} alone none is required
   * @param addresses how the rules find the address of a client
   * @throws IllegalArgumentException when their number is another one, or one must be an address;
   *     the message does not show them
   */
  public List<Subject> subjects(List<String> values, ClientAddress addresses) {
    if (kinds().equals(List.of("global"))) {
      return List.of(Subject.global());
    }
    if (values.size() != parts.size()) {
      throw Expect.failure("subject", values.size() + " values", "one for each of " + this);
    }
    List<List<Subject.Part>> found = new ArrayList<>();
    int combinations = 1;
    for (int i = 0; i < values.size(); i++) {
      SubjectPart part = parts.get(i);
      Optional<String> address = addresses.key(values.get(i));
      List<Subject.Part> several = new ArrayList<>();
      if (part.kind().equals("ip")) {
        address.ifPresent(key -> several.add(new Subject.Part("ip", key)));
      } else {
        several.add(present(part, part.counted(values.get(i))));
        address.ifPresent(key -> several.add(byAddress(part, key)));
      }
      if (several.isEmpty()) {
        throw Expect.failure("subject", "something else", "an address for ip");
      }
      combinations *= several.size();
      found.add(several);
    }
    return combined(found, combinations);
  }

  /** Returns the places of what clients send to be counted by. */
  List<String> keyPlaces() {
    return parts.stream().flatMap(part -> part.keyPlaces().stream()).toList();
  }

  private static void validate(List<SubjectPart> parts) {
    if (parts.isEmpty()) {
      throw Expect.failure("subject", parts, "at least one part, such as ip");
    }
    Set<String> kinds = new HashSet<>();
    for (SubjectPart part : parts) {
      if (!kinds.add(part.kind())) {
        throw Expect.failure("subject", part.kind(), "each part once");
      }
    }
    if (kinds.contains("global") && kinds.size() > 1) {
      throw Expect.failure("subject", kinds, "global alone, for it already counts everybody");
    }
  }

  /** Returns the kinds of the parts, such as {@code header:x-api-key+path}. */
  @Override
  public String toString() {
    return String.join("+", kinds());
  }

  /** The subject of a request that lacks a part of its subject. There is always one. */
  public enum Missing {
    /**
     * The client's address instead of the part. It is counted apart from what rules by {@code ip}
     * count, as an existing part would be. A request that lacks a part costs no more than one that
     * has it.
     */
    IP,
    /** One shared subject for all requests that lack the part. */
    SHARED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
