package com.example;

import dev.weir.http.PlanFunction;
import dev.weir.http.RequestView;
import java.util.Optional;

/** A plan as a user of the library would tell it: who has a card has the card's. */
public final class PlanOfCard implements PlanFunction {

  @Override
  public Optional<String> plan(RequestView request) {
    return request.headers("X-Card").stream().findFirst().map(card -> card.split("-", 2)[0]);
  }
}
