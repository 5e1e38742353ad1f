package dev.weir;

import java.util.Objects;

/** A change to what was decided before, made in the store that decided it. */
public sealed interface Amendment {

  /**
   * Gives back all that a receipt took. A bucket is never filled above its burst; a window takes
   * permits back only while it is the one that granted them.
   *
   * <p>A give-back that is lost only under-admits. It must not be made twice.
   */
  record GiveBack(Receipt receipt) implements Amendment {

    public GiveBack {
      Objects.requireNonNull(receipt, "receipt");
    }
  }
}
