package dev.weir.internal;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Finds the word that was probably meant. It is the word with the fewest insertions, deletions,
 * replacements and swaps of neighbours (F. Damerau 1964; the variant of optimal string alignment).
 * A word is near when at most a third of its letters are wrong. Case is ignored.
 */
public final class Spelling {

  /** Longer words are ignored, because comparing words costs the product of their lengths. */
  private static final int LONGEST = 64;

  private Spelling() {}

  public static Optional<String> nearest(String word, Collection<String> known) {
    if (word.isBlank() || word.length() > LONGEST) {
      return Optional.empty();
    }
    String lower = word.toLowerCase(Locale.ROOT);
    return known.stream()
        .filter(candidate -> candidate.length() <= LONGEST && !candidate.equals(word))
        .filter(
            candidate -> {
              String other = candidate.toLowerCase(Locale.ROOT);
              int longer = Math.max(lower.length(), other.length());
              return distance(lower, other) <= Math.max(1, longer / 3) && longer > 1;
            })
        .min(Comparator.comparingInt(near -> distance(lower, near.toLowerCase(Locale.ROOT))));
  }

  static int distance(String from, String to) {
    int[] beforeLast = new int[to.length() + 1];
    int[] last = IntStream.rangeClosed(0, to.length()).toArray();
    for (int i = 1; i <= from.length(); i++) {
      int[] row = new int[to.length() + 1];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = last[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(last[j], row[j - 1]));
        boolean isSwap =
            i > 1
                && j > 1
                && from.charAt(i - 1) == to.charAt(j - 2)
                && from.charAt(i - 2) == to.charAt(j - 1);
        if (isSwap) {
          row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
        }
      }
      beforeLast = last;
      last = row;
    }
    return last[to.length()];
  }
}
