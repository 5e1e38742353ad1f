package dev.weir.http.internal.response;

import dev.weir.Counter;
import dev.weir.Subject;
import dev.weir.Verdict;
import dev.weir.http.Outcome.Field;
import dev.weir.http.ResponseStyle;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the policy field for a list of counters. The same limits are reported again and again,
 * so each field is formatted once.
 *
 * <p>Each slot keeps its last field. New limits replace old ones, so the cache does not grow.
 * Entries are immutable. If threads race for a slot, a field is only formatted once more.
 */
final class Policies {

  private static final int SLOTS = 1 << 8;

  /**
   * The field for the names and limits of these counters. It is the same for all subjects. Those of
   * clients are not kept, since they may be secrets.
   */
  private record Known(List<Counter> counters, Optional<Field> field) {}

  private final ResponseStyle.Fields draft;
  private final @Nullable Known[] entries = new Known[SLOTS];

  /**
   * @param draft that defines the field
   */
  Policies(ResponseStyle.Fields draft) {
    this.draft = draft;
  }

  /** Returns the field for all limits that were decided. Empty if the draft has none for them. */
  Optional<Field> of(List<Verdict> verdicts) {
    int slot = slot(verdicts);
    Known known = entries[slot];
    if (known == null || !isAlike(known.counters, verdicts)) {
      known = new Known(withoutSubjects(verdicts), formatted(verdicts));
      entries[slot] = known;
    }
    return known.field;
  }

  private static List<Counter> withoutSubjects(List<Verdict> verdicts) {
    return verdicts.stream()
        .map(Verdict::counter)
        .map(counter -> new Counter(counter.name(), counter.limit(), Subject.global()))
        .toList();
  }

  private Optional<Field> formatted(List<Verdict> verdicts) {
    return switch (draft) {
      case DRAFT_11 -> Optional.of(IetfDraft11.policy(verdicts));
      case DRAFT_7, DRAFT_6 -> EarlierDrafts.policy(verdicts);
      case OFF -> Optional.empty();
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

  private static int slot(List<Verdict> verdicts) {
    int hash = 0;
    for (int i = 0; i < verdicts.size(); i++) {
      hash = 31 * hash + verdicts.get(i).counter().name().hashCode();
    }
    return (hash ^ (hash >>> 16)) & (SLOTS - 1);
  }
}
