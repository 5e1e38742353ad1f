package dev.weir.http;

import dev.weir.Charge;
import dev.weir.Counter;
import java.util.List;

/**
 * What one rule charges a request.
 *
 * @param charges one for each of its limits
 */
record RuleCharges(Rule rule, List<Charge> charges) {

  /** How many permits it takes of this counter; 0 where it names none of that limit. */
  long permitsOf(Counter counter) {
    long permits = 0;
    for (Charge charge : charges) {
      if (charge.counter().isSameAs(counter)) {
        permits += charge.permits();
      }
    }
    return permits;
  }
}
