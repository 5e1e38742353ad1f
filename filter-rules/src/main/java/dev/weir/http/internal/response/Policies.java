package dev.weir.http.internal.response;

import dev.weir.http.ResponseStyle;
import dev.weir.http.spi.Outcome.Field;
import dev.weir.store.Counter;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the policy field for a list of counters. The same limits are reported again and again,
 * so each field is formatted once.
 *
 * <p>The field is bounded, because servers answer 500 where the fields of a response are too long
 * (Tomcat: over 8 KiB together). Where the policies of a request do not fit, the binding one comes
 * first, and the last ones are left out. Such a field is formatted for each response.
 *
 * <p>Each slot keeps its last field. New limits replace old ones, so the cache does not grow.
 * Entries are immutable. If threads race for a slot, a field is only formatted once more.
 */
final class Policies {

  private static final int SLOTS = 1 << 8;

  /** The most bytes of the field's value. A policy has at most some 170. */
  static final int MOST_BYTES = 1_024;

  /**
   * The field for the names and limits of these counters. It is the same for all subjects. Those of
   * clients are not kept, since they may be secrets.
   */
  private record Known(List<Counter> counters, Optional<Field> field, boolean isWhole) {}

  private static final String SEPARATOR = ", ";

  private final ResponseStyle.Fields draft;
  private final @Nullable Known[] entries = new Known[SLOTS];

  Policies(ResponseStyle.Fields draft) {
    this.draft = draft;
  }

  /** Returns the field for all limits that were decided. Empty if the draft has none for them. */
  Optional<Field> of(List<Verdict> verdicts, Verdict binding) {
    int hash = 0;
    for (int i = 0; i < verdicts.size(); i++) {
      hash = 31 * hash + verdicts.get(i).counter().name().hashCode();
    }
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    Known known = entries[slot];
    if (known == null || !isAlike(known.counters, verdicts)) {
      known = known(verdicts);
      entries[slot] = known;
    }
    if (known.isWhole) {
      return known.field;
    }
    List<Verdict> bindingFirst = new ArrayList<>(List.of(binding));
    bindingFirst.addAll(verdicts);
    return field(fitting(policies(bindingFirst)));
  }

  private Known known(List<Verdict> verdicts) {
    List<String> policies = policies(verdicts);
    List<String> fitting = fitting(policies);
    List<Counter> withoutSubjects =
        verdicts.stream()
            .map(Verdict::counter)
            .map(counter -> new Counter(counter.name(), counter.limit(), Subject.global()))
            .toList();
    return new Known(withoutSubjects, field(fitting), fitting.size() == policies.size());
  }

  /** Returns as many of the first policies as fit. They are ASCII, as the names of limits are. */
  private static List<String> fitting(List<String> policies) {
    int length = -SEPARATOR.length();
    for (int i = 0; i < policies.size(); i++) {
      length += SEPARATOR.length() + policies.get(i).length();
      if (length > MOST_BYTES) {
        return policies.subList(0, i);
      }
    }
    return policies;
  }

  private static Optional<Field> field(List<String> policies) {
    return policies.isEmpty()
        ? Optional.empty()
        : Optional.of(new Field(IetfDraft11.POLICY, String.join(SEPARATOR, policies)));
  }

  private List<String> policies(List<Verdict> verdicts) {
    return switch (draft) {
      case DRAFT_11 -> IetfDraft11.policies(verdicts);
      case DRAFT_7, DRAFT_6 -> EarlierDrafts.policies(verdicts);
      case OFF -> List.of();
    };
  }

  private static boolean isAlike(List<Counter> counters, List<Verdict> verdicts) {
    boolean isAlike = counters.size() == verdicts.size();
    for (int i = 0; isAlike && i < counters.size(); i++) {
      Counter known = counters.get(i);
      Counter counter = verdicts.get(i).counter();
      isAlike = known.name().equals(counter.name()) && known.limit().equals(counter.limit());
    }
    return isAlike;
  }
}
