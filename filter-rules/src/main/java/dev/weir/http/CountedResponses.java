package dev.weir.http;

import dev.weir.http.internal.match.PathCandidates;
import dev.weir.http.spi.Completion.Response;
import dev.weir.http.spi.RawRequest;
import dev.weir.internal.Expect;
import dev.weir.internal.InvalidValueException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The responses that a rule charges for. Immutable and thread-safe.
 *
 * <p>A response counts if it has one of the statuses, or leads to one of the redirects. It does not
 * if an entry with an exclamation mark excludes it. What the application says in an attribute of
 * the request decides before both. If all entries exclude, every other response counts.
 */
public final class CountedResponses {

  /** Every response. */
  public static final CountedResponses ALL = new CountedResponses(List.of());

  private static final String FORMS =
      "a status such as 401, a class such as 4xx, a range such as 400-499, one of these after '!'"
          + " for all others, redirect:/path or attribute:NAME";
  private static final String EXCLUDED = "!";
  private static final String REDIRECT = "redirect:";
  private static final String ATTRIBUTE = "attribute:";
  private static final int LEAST = 100;
  private static final int MOST = 599;

  private static final Pattern STATUSES =
      Pattern.compile("([1-5](?:[0-9]{2}|xx))(?:-([1-5](?:[0-9]{2}|xx)))?");

  private final List<String> entries;
  private final BitSet statuses = new BitSet();
  private final BitSet excludedStatuses = new BitSet();
  private final List<Redirect> redirects = new ArrayList<>();
  private final List<Redirect> excludedRedirects = new ArrayList<>();
  private Optional<String> attribute = Optional.empty();

  private CountedResponses(List<String> entries) {
    this.entries = List.copyOf(entries);
    this.entries.forEach(this::add);
    this.entries.forEach(this::requireEffect);
  }

  /**
   * Reads these entries:
   *
   * <ul>
   *   <li>{@code 401}, {@code 4xx}, {@code 400-499}: statuses
   *   <li>{@code redirect:/login?error*}: a status of redirection whose {@code Location} leads to
   *       this path within the application. The path is compared without parameters such as {@code
   *       ;jsessionid}, and decoded; an asterisk at its end or at the end of the query stands for
   *       any rest. Without a question mark, any query matches. Another host never matches, unless
   *       it is written, with the whole path, as in {@code redirect://login.example/error*}
   *   <li>{@code !422}, {@code !redirect:/home}: all but these
   *   <li>{@code attribute:NAME}: what the application has set in this attribute of the request:
   *       {@code true} counts and {@code false} does not, as a boolean or a text. For another
   *       value, and without one, the other entries decide
   * </ul>
   *
   * @throws IllegalArgumentException when one has none of these forms, excludes nothing, or if no
   *     response is left; also when there is none, or more than one attribute
   */
  public static CountedResponses parse(List<String> entries) {
    if (entries.isEmpty()) {
      throw Expect.failure("count", entries, "at least one status, such as 401");
    }
    return new CountedResponses(entries);
  }

  /** Returns the entries, as they were written. */
  public List<String> entries() {
    return entries;
  }

  public boolean areAll() {
    return entries.isEmpty();
  }

  /** Returns the attribute of the request that decides, if one does. */
  public Optional<String> attribute() {
    return attribute;
  }

  /** Returns whether more than the status of a response decides. */
  public boolean readMoreThanStatus() {
    return attribute.isPresent() || !redirects.isEmpty() || !excludedRedirects.isEmpty();
  }

  /** Returns whether a response with this status counts, of which nothing else is known. */
  public boolean contains(int status) {
    return contains(Response.of(status));
  }

  /** Returns whether this response counts. */
  public boolean contains(Response response) {
    if (areAll()) {
      return true;
    }
    if (attribute.isPresent()) {
      Optional<Boolean> chosen = chosen(response.attribute(attribute.get()));
      if (chosen.isPresent() || !response.isComplete()) {
        return chosen.orElse(true); // what is not said yet stays charged
      }
    }
    int status = response.status();
    if (excludedStatuses.get(status) || isAnyOf(excludedRedirects, response)) {
      return false;
    }
    return onlyExclude() || statuses.get(status) || isAnyOf(redirects, response);
  }

  private static Optional<Boolean> chosen(@Nullable Object value) {
    return switch (String.valueOf(value)) {
      case "true" -> Optional.of(true);
      case "false" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  private static boolean isAnyOf(List<Redirect> all, Response response) {
    return !all.isEmpty()
        && response.redirects().stream()
            .anyMatch(target -> all.stream().anyMatch(redirect -> redirect.matches(target)));
  }

  /** Returns whether all but what is excluded counts. An attribute alone counts nothing else. */
  private boolean onlyExclude() {
    boolean excludes = !excludedStatuses.isEmpty() || !excludedRedirects.isEmpty();
    return statuses.isEmpty() && redirects.isEmpty() && (excludes || attribute.isEmpty());
  }

  private void add(String entry) {
    boolean isExcluded = entry.startsWith(EXCLUDED);
    String included = isExcluded ? entry.substring(1).strip() : entry;
    if (included.startsWith(ATTRIBUTE)) {
      if (isExcluded) {
        throw malformed(entry, included + ": the application sets it to false for what is free");
      }
      if (attribute.isPresent()) {
        throw malformed(entry, "one attribute, for two could contradict each other");
      }
      attribute = Optional.of(attribute(entry, included.substring(ATTRIBUTE.length())));
    } else if (included.startsWith(REDIRECT)) {
      Redirect redirect = Redirect.parse(entry, included.substring(REDIRECT.length()));
      (isExcluded ? excludedRedirects : redirects).add(redirect);
    } else {
      (isExcluded ? excludedStatuses : statuses).or(statuses(entry, included));
    }
  }

  private static String attribute(String entry, String name) {
    if (name.isBlank() || name.chars().anyMatch(c -> Character.isISOControl(c) || c == ' ')) {
      throw malformed(entry, "the name of an attribute after the colon, as in attribute:failed");
    }
    return name;
  }

  private static BitSet statuses(String entry, String text) {
    Matcher form = STATUSES.matcher(text);
    if (!form.matches()) {
      throw malformed(entry, FORMS);
    }
    String last = form.group(2) == null ? form.group(1) : form.group(2);
    int from = Integer.parseInt(form.group(1).replace("xx", "00"));
    int to = Integer.parseInt(last.replace("xx", "99"));
    if (from > to) {
      throw malformed(entry, "the lower status first, as in " + to + "-" + from);
    }
    BitSet found = new BitSet();
    found.set(from, to + 1);
    return found;
  }

  /** Refuses an entry that changes nothing: its author expects that it does. */
  private void requireEffect(String entry) {
    if (!entry.startsWith(EXCLUDED)) {
      return;
    }
    String excluded = entry.substring(1).strip();
    boolean excludes =
        excluded.startsWith(REDIRECT)
            ? statuses.intersects(range(300, 399)) || !redirects.isEmpty()
            : statuses.intersects(statuses(entry, excluded));
    if (!onlyExclude() && !excludes) {
      throw malformed(entry, "an exclusion from what the other entries count, or exclusions alone");
    }
    BitSet left = statuses.isEmpty() ? range(LEAST, MOST) : (BitSet) statuses.clone();
    left.andNot(excludedStatuses);
    if (left.isEmpty() && redirects.isEmpty() && attribute.isEmpty()) {
      throw malformed(entry, "exclusions that leave a status to count");
    }
  }

  private static BitSet range(int first, int last) {
    BitSet range = new BitSet();
    range.set(first, last + 1);
    return range;
  }

  private static IllegalArgumentException malformed(String entry, String expectation) {
    return Expect.failure("count", "'" + entry + "'", expectation);
  }

  /**
   * The targets of redirections.
   *
   * @param place the path within the application, or {@code //host/path}; a prefix of it where
   *     {@code isPlacePrefix}
   * @param query empty for any; a prefix of it where {@code isQueryPrefix}
   */
  private record Redirect(
      String place, boolean isPlacePrefix, Optional<String> query, boolean isQueryPrefix) {

    private static final Pattern HOST = Pattern.compile("//[\\w-]+(\\.[\\w-]+)*/.*");

    static Redirect parse(String entry, String target) {
      if (target.contains("://")) {
        throw malformed(entry, "'redirect://host/path' for another host, without a scheme");
      }
      if (!target.startsWith("/") || (target.startsWith("//") && !HOST.matcher(target).matches())) {
        throw malformed(entry, "a path within the application, as in redirect:/login?error*");
      }
      if (target.chars().anyMatch(c -> c <= ' ' || c == '#' || c == ';' || c == '\\')) {
        throw malformed(entry, "a path and a query without blanks, '#', ';' or '\\'");
      }
      int question = target.indexOf('?');
      String place = question < 0 ? target : target.substring(0, question);
      Optional<String> query =
          question < 0 ? Optional.empty() : Optional.of(target.substring(question + 1));
      return new Redirect(
          named(entry, prefix(entry, place)),
          place.endsWith("*"),
          query.map(it -> prefix(entry, it)),
          query.filter(it -> it.endsWith("*")).isPresent());
    }

    /** Returns the name of the place that redirections have. */
    private static String named(String entry, String place) {
      int path = place.startsWith("//") ? place.indexOf('/', 2) : 0;
      String host = place.substring(0, path).toLowerCase(Locale.ROOT);
      try {
        String decoded = RawRequest.path(place.substring(path));
        String resolved = PathCandidates.resolved(decoded);
        if (!resolved.equals(decoded)) {
          throw malformed(entry, "a path without '.', '..' and '//', as in " + host + resolved);
        }
        return host + decoded.replace("?", "%3F");
      } catch (InvalidValueException refused) {
        throw refused;
      } catch (IllegalArgumentException brokenEscape) {
        throw malformed(entry, "each '%' with two hexadecimal digits after it");
      }
    }

    private static String prefix(String entry, String text) {
      int asterisk = text.indexOf('*');
      if (asterisk >= 0 && asterisk < text.length() - 1) {
        throw malformed(entry, "'*' at the end of the path or of the query alone");
      }
      return asterisk < 0 ? text : text.substring(0, asterisk);
    }

    /** Returns whether it leads there, to a {@linkplain Response#redirects target}. */
    boolean matches(String target) {
      int question = target.indexOf('?');
      String path = question < 0 ? target : target.substring(0, question);
      String rest = question < 0 ? "" : target.substring(question + 1);
      return (isPlacePrefix ? isBelow(path) : path.equals(place))
          && (query.isEmpty()
              || (isQueryPrefix ? rest.startsWith(query.get()) : rest.equals(query.get())));
    }

    /** A prefix of a path within the application is no prefix of a host. */
    private boolean isBelow(String path) {
      return path.startsWith(place) && path.startsWith("//") == place.startsWith("//");
    }
  }

  /** Returns whether the entries are equal, in any order. */
  @Override
  public boolean equals(Object other) {
    return other instanceof CountedResponses that && asSet().equals(that.asSet());
  }

  private Set<String> asSet() {
    return new HashSet<>(entries);
  }

  @Override
  public int hashCode() {
    return asSet().hashCode();
  }

  /** Returns the entries, as they were written. */
  @Override
  public String toString() {
    return areAll() ? "all" : String.join(", ", entries);
  }
}
