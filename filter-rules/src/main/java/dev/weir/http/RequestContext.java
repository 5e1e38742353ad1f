package dev.weir.http;

import dev.weir.http.ClientAddress.Found;
import dev.weir.http.internal.match.MatchedRule;
import dev.weir.http.internal.match.PathCandidates;
import dev.weir.http.internal.match.PathVariables;
import dev.weir.http.internal.match.RequestPattern;
import dev.weir.http.internal.schedule.Schedule;
import dev.weir.limit.Limit;
import dev.weir.store.Subject;
import inet.ipaddr.IPAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The context in which rules evaluate one request. It determines the client's address only once.
 * Confined to one thread.
 */
final class RequestContext {

  private final RequestView request;
  private final ClientAddress clientAddress;
  private final AddressWarnings warnings;
  private @Nullable MatchedRule matched;
  private @Nullable Found client;
  private @Nullable Memory memory;

  /** Whether a rule that applies may ban. */
  boolean hasBans;

  /** What is computed once for a request. Few have rules that need any of it. */
  private static final class Memory {

    private final Map<KeyPlace, KeyPlace.Digests> digests = new HashMap<>();
    private final Map<Map.Entry<String, Subject>, Limit> limits = new HashMap<>();
    private OptionalLong timeMillis = OptionalLong.empty();
  }

  RequestContext(RequestView request, ClientAddress clientAddress, AddressWarnings warnings) {
    this.request = request;
    this.clientAddress = clientAddress;
    this.warnings = warnings;
  }

  RequestView request() {
    return request;
  }

  /**
   * Returns whether the peer is a trusted proxy. A trusted proxy has set or removed the fields that
   * it passes on.
   */
  boolean isPeerTrusted() {
    return clientAddress.isPeerTrusted(request);
  }

  /** Sets the rule that is evaluated next. Returns this context. */
  RequestContext through(MatchedRule rule) {
    matched = rule;
    return this;
  }

  /** Returns the key of the client's address. */
  String ip() {
    return client().key();
  }

  /** Returns the client's address itself, or empty when it is unknown. */
  Optional<IPAddress> address() {
    return client().address();
  }

  /** Returns whether the client itself has the address, and not a proxy, or all without one. */
  boolean isAddressOfClient() {
    Found found = client();
    boolean isFound =
        switch (found.basis()) {
          case PEER, REWRITTEN, HEADER -> true;
          case NO_HEADER, UNREADABLE, TOO_SHORT, OTHER_PROXY, NO_ADDRESS -> false;
        };
    return isFound
        && !clientAddress.isProxy(found); // a chain may end on a proxy that names no client
  }

  private Found client() {
    Found known = client;
    if (known == null) {
      known = clientAddress.find(request);
      client = known;
      warnings.examine(known, request);
    }
    return known;
  }

  /** Computes the digests once, because a rule may look for them in thousands of lists. */
  KeyPlace.Digests digests(KeyPlace place) {
    return memory().digests.computeIfAbsent(place, it -> it.digests(request));
  }

  /**
   * Returns the numbers of a counter. They are the same for all rules of the request, because a
   * decision has one limit for each counter.
   */
  Limit limit(String name, Subject subject, Supplier<Limit> current) {
    return memory().limits.computeIfAbsent(Map.entry(name, subject), first -> current.get());
  }

  /**
   * Returns the framework's template, or else the rule's pattern. Never returns the path itself.
   */
  Optional<String> template() {
    Optional<String> template = request.matchedTemplate();
    return template.isPresent()
        ? template
        : Optional.ofNullable(matched).flatMap(MatchedRule::pattern).map(RequestPattern::template);
  }

  /**
   * Returns each value that an interpretation of the path has for this variable of a pattern of the
   * rule. Requests whose path could be any have one value together, and so have those of which no
   * interpretation has a value although the rule applies: a client could otherwise choose whether
   * it is counted by the variable.
   */
  List<String> pathVariable(String name) {
    try {
      List<RequestPattern> patterns = matched == null ? List.of() : matched.patterns();
      List<String> values = PathVariables.values(name, patterns, PathCandidates.of(request));
      return values.isEmpty() ? SubjectPart.ANY_PATH : values;
    } catch (RuntimeException suspicious) {
      return SubjectPart.ANY_PATH;
    }
  }

  /** Returns the time by which the rules of this request apply: one for all, by this clock. */
  long timeMillis(Schedule schedule) {
    Memory known = memory();
    if (known.timeMillis.isEmpty()) {
      known.timeMillis = OptionalLong.of(schedule.now());
    }
    return known.timeMillis.getAsLong();
  }

  private Memory memory() {
    Memory known = memory;
    if (known == null) {
      known = new Memory();
      memory = known;
    }
    return known;
  }
}
