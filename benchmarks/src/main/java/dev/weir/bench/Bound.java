package dev.weir.bench;

/**
 * The minimum (must) and the target (goal) for one row.
 *
 * @param peerName names the peer of the row
 */
record Bound(String metric, String peerName, Column column, Sense sense, double must, double goal) {

  /** The column of the row that is judged. */
  enum Column {
    OURS {
      @Override
      double of(Row row) {
        return row.ours();
      }
    },
    RATIO {
      @Override
      double of(Row row) {
        return row.ratio();
      }
    };

    abstract double of(Row row);
  }

  /** The direction in which a value is better. */
  enum Sense {
    AT_LEAST("≥") {
      @Override
      boolean reaches(double value, double bound) {
        return value >= bound;
      }
    },
    AT_MOST("≤") {
      @Override
      boolean reaches(double value, double bound) {
        return value <= bound;
      }
    };

    private final String sign;

    Sense(String sign) {
      this.sign = sign;
    }

    abstract boolean reaches(double value, double bound);
  }

  boolean isOf(Row row) {
    return metric.equals(row.metric()) && peerName.equals(row.peerName());
  }

  boolean isMet(Row row) {
    return sense.reaches(column.of(row), must);
  }

  boolean isGoalMet(Row row) {
    return sense.reaches(column.of(row), goal);
  }

  String shownMust() {
    return shown(must);
  }

  String shownGoal() {
    return shown(goal);
  }

  private String shown(double bound) {
    return sense.sign + " " + Row.shown(bound);
  }
}
