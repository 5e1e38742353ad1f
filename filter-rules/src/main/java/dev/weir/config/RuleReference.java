package dev.weir.config;

import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A reference from an annotation to the limit that applies at its place.
 *
 * @param place the annotated element, such as {@code Orders.create}; a limit in place has this name
 * @param origin the name of this particular annotation in messages. Several references of one
 *     origin apply to the same requests. Of two origins in one place, such as classes of one simple
 *     name, only one may have a limit in place
 * @param limit the name of a rule or of a limit, or a limit in one line such as {@code 5 per
 *     minute}
 * @param subject the parts of the subject; empty for the client's address, or for the subject of a
 *     named rule
 * @param cost permits that a request takes; empty for 1, or for the cost of a named rule
 */
public record RuleReference(
    String place, String origin, String limit, List<String> subject, OptionalLong cost) {

  public RuleReference {
    Objects.requireNonNull(place, "place");
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(limit, "limit");
    Objects.requireNonNull(cost, "cost");
    subject = List.copyOf(subject);
  }

  /** Returns a reference to a rule or limit with its defaults, at the only place of that name. */
  public static RuleReference of(String place, String limit) {
    return new RuleReference(place, place, limit, List.of(), OptionalLong.empty());
  }

  /** Returns this reference with the given annotation as its origin. */
  public RuleReference withOrigin(String annotation) {
    return new RuleReference(place, annotation, limit, subject, cost);
  }

  /** Returns this reference with this subject: {@code ip}, {@code header:NAME} and so on. */
  public RuleReference withSubject(List<String> parts) {
    return new RuleReference(place, origin, limit, parts, cost);
  }

  /** Returns this reference with this cost. */
  public RuleReference withCost(long permits) {
    return new RuleReference(place, origin, limit, subject, OptionalLong.of(permits));
  }
}
