package com.example;

import dev.weir.http.RequestFunction;
import dev.weir.http.RequestView;
import java.util.Optional;

/**
 * A tier as a user of the library would determine it: a client with a card has the tier of the
 * card.
 */
public final class TierOfCard implements RequestFunction {

  @Override
  public Optional<String> apply(RequestView request) {
    return request.headers("X-Card").stream().findFirst().map(card -> card.split("-", 2)[0]);
  }
}
