package dev.weir.config;

import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * How an annotation says which limit holds where it stands.
 *
 * @param place where it stands, such as {@code Orders.create}; a limit in place bears this name
 * @param origin what messages call the very annotation: of two in one place, such as classes of one
 *     simple name, only one may have a limit in place
 * @param limit the name of a rule or of a limit, or a limit in one line such as {@code 5 per
 *     minute}
 * @param subject who is counted; empty for the client's address, or for what a named rule says
 * @param cost permits that a request takes; empty for 1, or for what a named rule says
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

  /** A rule or limit as it is, at the only place of that name. */
  public static RuleReference of(String place, String limit) {
    return new RuleReference(place, place, limit, List.of(), OptionalLong.empty());
  }

  /** The same from this annotation. */
  public RuleReference withOrigin(String annotation) {
    return new RuleReference(place, annotation, limit, subject, cost);
  }

  /** The same with this subject: {@code ip}, {@code header:NAME} and so on. */
  public RuleReference withSubject(List<String> parts) {
    return new RuleReference(place, origin, limit, parts, cost);
  }

  /** The same at this cost. */
  public RuleReference withCost(long permits) {
    return new RuleReference(place, origin, limit, subject, OptionalLong.of(permits));
  }
}
