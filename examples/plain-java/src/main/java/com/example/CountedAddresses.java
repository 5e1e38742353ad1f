package com.example;

import dev.weir.http.RuleListener;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Decision;
import dev.weir.store.Subject;
import java.time.Duration;

/** Prints the address that each decision counts. It is for a test: addresses are personal data. */
public final class CountedAddresses implements RuleListener {

  @Override
  public void onDecision(AcquireRequest request, Decision decision, Duration took) {
    for (AcquireRequest.Charge charge : request.charges()) {
      for (Subject.Part part : charge.counter().subject().parts()) {
        if (part.kind().equals("ip")) {
          System.out.println("limit " + charge.counter().name() + " counts " + part.value());
        }
      }
    }
  }
}
