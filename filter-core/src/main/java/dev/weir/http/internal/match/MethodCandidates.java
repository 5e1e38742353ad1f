package dev.weir.http.internal.match;

import dev.weir.http.RequestPattern;
import dev.weir.http.RequestView;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The methods that the server or application may read from a request. These are the method that was
 * sent, and the same in upper case, because some servers fold it. A POST also has the methods that
 * a framework may read from it. A rule that accepts any of them applies, whatever it excepts for
 * the others.
 *
 * <p>A form may hold the method in its body, which this library must not read. So the POST of a
 * form also gets supposed methods. They are those that a form cannot send but its body can name.
 *
 * <p>Rules treat all methods that no pattern names alike, so these are one candidate here. A client
 * cannot cause more comparisons than the patterns have methods.
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

  /** The methods that those frameworks read from a form. */
  private static final List<String> OF_FORMS = List.of("PUT", "PATCH", "DELETE");

  /** The candidate for every method that no pattern names. */
  private static final String UNNAMED = "";

  private static final List<Candidate> OF_UNNAMED = List.of(Candidate.seen(UNNAMED));

  private final Set<String> named;

  /** The candidates of each named method that was sent as it is written. */
  private final Map<String, List<Candidate>> plain;

  /**
   * @param named all methods that the patterns name
   */
  public MethodCandidates(Collection<String> named) {
    this.named = Set.copyOf(named);
    this.plain =
        this.named.stream()
            .filter(method -> method.equals(upperCase(method)) && !method.equals(POST))
            .collect(Collectors.toMap(Function.identity(), it -> List.of(Candidate.seen(it))));
  }

  /** Returns each candidate once: at least one, and exactly one where no pattern names a method. */
  public List<Candidate> of(RequestView request) {
    if (named.isEmpty()) {
      return OF_UNNAMED;
    }
    String sent = request.method();
    List<Candidate> known = plain.get(sent);
    if (known != null) {
      return known;
    }
    String folded = upperCase(sent);
    if (sent.equals(folded) && !sent.equals(POST)) {
      return OF_UNNAMED;
    }
    Set<String> seen = new LinkedHashSet<>();
    seen.add(reading(sent));
    seen.add(reading(folded));
    return folded.equals(POST) ? ofPost(request, seen) : seen(seen).toList();
  }

  private List<Candidate> ofPost(RequestView request, Set<String> seen) {
    OVERRIDES.forEach(field -> addRegistered(request.headers(field), seen));
    addRegistered(request.queries(OVERRIDE_PARAMETER), seen);
    return isForm(request)
        ? Stream.concat(seen(seen), OF_FORMS.stream().map(Candidate::supposed)).toList()
        : seen(seen).toList();
  }

  private static Stream<Candidate> seen(Set<String> methods) {
    return methods.stream().map(Candidate::seen);
  }

  private static boolean isForm(RequestView request) {
    return request.headers("Content-Type").stream()
        .map(String::stripLeading)
        .anyMatch(type -> FORMS.stream().anyMatch(form -> startsWith(type, form)));
  }

  /** Returns whether the type is this form, in any case and with any parameters. */
  private static boolean startsWith(String type, String form) {
    return type.regionMatches(true, 0, form, 0, form.length());
  }

  private void addRegistered(List<String> values, Set<String> methods) {
    for (String value : values) {
      String method = upperCase(value.strip());
      if (HttpMethods.isRegistered(method)) {
        methods.add(reading(method));
      }
    }
  }

  private String reading(String method) {
    return named.contains(method) ? method : UNNAMED;
  }

  private static String upperCase(String method) {
    return method.toUpperCase(Locale.ROOT);
  }

  /**
   * A method that a request may have.
   *
   * @param isSupposed whether nothing visible in the request names this method. Only patterns that
   *     name a supposed method accept it. Patterns that accept any method have accepted the one
   *     that was sent
   */
  public record Candidate(String method, boolean isSupposed) {

    static Candidate seen(String method) {
      return new Candidate(method, false);
    }

    static Candidate supposed(String method) {
      return new Candidate(method, true);
    }

    /** Returns whether this method makes the pattern's rule apply. */
    public boolean isTakenBy(RequestPattern pattern) {
      return isSupposed ? pattern.methods().contains(method) : pattern.accepts(method);
    }

    /** Returns whether the pattern excepts this method. */
    public boolean isExceptedBy(RequestPattern pattern) {
      return pattern.accepts(method);
    }
  }
}
