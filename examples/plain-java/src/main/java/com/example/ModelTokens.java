package com.example;

import dev.weir.Reservation;
import dev.weir.TokenLimiter;
import dev.weir.store.LimitStore;
import java.util.function.LongSupplier;

/** Tokens of a language model. How many a call takes is known when it has ended. */
public final class ModelTokens {

  private static final long MOST_OF_A_CALL = 1_000;

  private final TokenLimiter tokens;

  public ModelTokens(LimitStore store) {
    tokens = TokenLimiter.of("tokens", "10_000 per hour", store);
  }

  /**
   * Calls the model, unless the user has too few tokens left.
   *
   * @param model returns how many tokens it has taken. If it throws, none are charged
   */
  public boolean call(String user, LongSupplier model) {
    try (Reservation reservation = tokens.reserve(user, MOST_OF_A_CALL)) {
      if (!reservation.decision().allowed()) {
        return false;
      }
      reservation.commit(model.getAsLong());
      return true;
    }
  }
}
