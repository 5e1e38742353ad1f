package dev.weir;

import java.util.Collection;
import java.util.Locale;

/** Suggestions for misspelt words. */
final class Spelling {

  private static final int MOST_EDITS = 2;

  private Spelling() {}

  /**
   * Returns a hint such as {@code ; did you mean 'second'?}, or an empty text when no known word is
   * near. A word is near within two letters added, dropped, changed or swapped, and fewer than half
   * of the word. Case does not matter. Of equally near words, the first is returned.
   */
  static String hint(String word, Collection<String> known) {
    String lower = word.toLowerCase(Locale.ROOT);
    String nearest = "";
    int least = Math.min(MOST_EDITS, (word.length() - 1) / 2) + 1;
    for (String candidate : known) {
      if (Math.abs(candidate.length() - word.length()) >= least) {
        continue;
      }
      int edits = edits(lower, candidate.toLowerCase(Locale.ROOT));
      if (edits < least) {
        least = edits;
        nearest = candidate;
      }
    }
    return nearest.isEmpty() ? "" : "; did you mean '" + nearest + "'?";
  }

  /** Returns the distance of Damerau and Levenshtein, where no letter is edited twice. */
  private static int edits(String from, String to) {
    int[][] edits = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        edits[i][j] = i == 0 || j == 0 ? i + j : least(edits, from, to, i, j);
      }
    }
    return edits[from.length()][to.length()];
  }

  private static int least(int[][] edits, String from, String to, int i, int j) {
    boolean same = from.charAt(i - 1) == to.charAt(j - 1);
    int changed = edits[i - 1][j - 1] + (same ? 0 : 1);
    int least = Math.min(changed, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
    boolean swapped =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return swapped ? Math.min(least, edits[i - 2][j - 2] + 1) : least;
  }
}
