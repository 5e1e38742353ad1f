package dev.weir.http.internal.match;

import dev.weir.http.RequestView;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The methods that the server or application may read from a request. These are the method that was
 * sent, and the same in upper case, because some servers fold it. A POST also has the methods that
 * a framework may read from it. A rule that accepts any of them applies, whatever it excepts for
 * the others.
 *
 * <p>A form may hold the method in its body, which this library must not read. So the POST of a
 * form also gets supposed methods. They are those that a form cannot send but its body can name.
 *
 * <p>Rules treat all methods that no pattern names alike, so these are one candidate here. Each
 * candidate is one bit, and a set of candidates is a {@code long}. So a request takes one
 * comparison with a pattern, whatever methods a client sends. The methods that may be named are
 * {@linkplain #isRegistered registered}, which are fewer than the bits.
 */
public final class MethodCandidates {

  private static final String POST = "POST";

  /** The header fields by which frameworks replace a POST with another method. */
  private static final List<String> OVERRIDES =
      List.of("X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method");

  /** The query parameter with the same effect. */
  private static final String OVERRIDE_PARAMETER = "_method";

  /** The content types that browsers post, and in which frameworks look for that parameter. */
  private static final List<String> FORMS =
      List.of("application/x-www-form-urlencoded", "multipart/form-data");

  /** The methods of the IANA HTTP Method Registry. A pattern may name no others. */
  private static final Set<String> REGISTERED =
      Set.of(
          """
          ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT CONNECT COPY DELETE GET HEAD LABEL LINK LOCK
          MERGE MKACTIVITY MKCALENDAR MKCOL MKREDIRECTREF MKWORKSPACE MOVE OPTIONS ORDERPATCH PATCH
          POST PROPFIND PROPPATCH PUT QUERY REBIND REPORT SEARCH TRACE UNBIND UNCHECKOUT UNLINK
          UNLOCK UPDATE UPDATEREDIRECTREF VERSION-CONTROL
          """
              .split("\\s+"));

  /** The methods that those frameworks read from a form. */
  private static final List<String> OF_FORMS = List.of("PUT", "PATCH", "DELETE");

  /** The bit of all methods that no pattern names. Those of named methods follow. */
  static final long UNNAMED = 1;

  /** The bit of the first supposed method. Those of the others {@link #OF_FORMS} follow. */
  private static final long FIRST_SUPPOSED = 1L << 60;

  private static final long ALL_SUPPOSED = -FIRST_SUPPOSED;

  /** The bit of each named method, where it is visible in the request. */
  private final Map<String, Long> named;

  public MethodCandidates(Set<String> named) {
    this.named = new HashMap<>();
    named.forEach(method -> this.named.put(method, UNNAMED << (this.named.size() + 1)));
  }

  public static boolean isRegistered(String method) {
    return REGISTERED.contains(method);
  }

  /** Returns the candidates: at least one, and exactly one where no pattern names a method. */
  public long of(RequestView request) {
    if (named.isEmpty()) {
      return UNNAMED;
    }
    String sent = request.method();
    Long known = named.get(sent);
    if (known != null && !sent.equals(POST)) {
      return known; // registered methods are in upper case
    }
    String folded = upperCase(sent);
    long seen = bit(sent) | bit(folded);
    if (!folded.equals(POST)) {
      return seen;
    }
    seen |= registered(request.queries(OVERRIDE_PARAMETER));
    for (String field : OVERRIDES) {
      seen |= registered(request.headers(field));
    }
    boolean isForm =
        request.headers("Content-Type").stream()
            .map(String::stripLeading)
            .anyMatch(
                type ->
                    FORMS.stream()
                        .anyMatch(form -> type.regionMatches(true, 0, form, 0, form.length())));
    return isForm ? seen | ALL_SUPPOSED : seen;
  }

  private long registered(List<String> values) {
    long candidates = 0;
    for (String value : values) {
      String method = upperCase(value.strip());
      candidates |= isRegistered(method) ? bit(method) : 0;
    }
    return candidates;
  }

  /**
   * Returns the candidates for which the pattern's rule applies. Nothing visible in the request
   * names a supposed method, so only patterns that name it accept it. Patterns that accept any
   * method have accepted the one that was sent.
   */
  long matching(RequestPattern pattern) {
    return pattern.methods().isEmpty() ? ~ALL_SUPPOSED : bits(pattern.methods());
  }

  /** Returns the candidates that the pattern excepts. */
  long excepting(RequestPattern pattern) {
    return pattern.methods().isEmpty() ? -1 : bits(pattern.methods());
  }

  private long bits(Set<String> methods) {
    long bits = 0;
    for (String method : methods) {
      int ofForm = OF_FORMS.indexOf(method);
      bits |= bit(method) | (ofForm < 0 ? 0 : FIRST_SUPPOSED << ofForm);
    }
    return bits;
  }

  private long bit(String method) {
    return named.getOrDefault(method, UNNAMED);
  }

  private static String upperCase(String method) {
    return method.toUpperCase(Locale.ROOT);
  }
}
