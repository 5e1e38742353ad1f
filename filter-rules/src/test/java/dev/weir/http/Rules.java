package dev.weir.http;

import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.internal.match.RuleIndex;
import dev.weir.limit.Limit;
import java.util.List;

/** Rules for tests, in few words. */
final class Rules {

  static final NamedLimit PLENTY = limit("plenty", "1000 per second");

  private Rules() {}

  static NamedLimit limit(String name, String text) {
    return new NamedLimit(name, Limit.parse(text));
  }

  /** Returns a rule by address with room for all requests, named after its pattern. */
  static Rule matching(String pattern) {
    return rule(pattern, RequestMatcher.of(pattern), "ip", PLENTY);
  }

  static Rule rule(String name, RequestMatcher matcher, String subject, NamedLimit... limits) {
    return rule(name, matcher, SubjectResolver.of(subject), 1, limits);
  }

  static Rule rule(
      String name,
      RequestMatcher matcher,
      SubjectResolver subject,
      long cost,
      NamedLimit... limits) {
    return Rule.builder(name)
        .match(matcher)
        .subject(subject)
        .limits(List.of(limits))
        .cost(cost)
        .build();
  }

  static Rule bound(String name, String subject, NamedLimit... limits) {
    return Rule.builder(name).subject(SubjectResolver.of(subject)).limits(List.of(limits)).build();
  }

  static RequestContext context(RequestView request, ClientAddress clientAddress) {
    return new RequestContext(request, clientAddress, new AddressWarnings(clientAddress));
  }

  static RequestMatcher except(String match, String... except) {
    return RequestMatcher.parse(List.of(match), List.of(except), MatchOptions.DEFAULT);
  }

  static boolean applies(RequestMatcher matcher, RequestView request) {
    return !new RuleIndex(List.of(rule("rule", matcher, "ip", PLENTY))).applying(request).isEmpty();
  }
}
