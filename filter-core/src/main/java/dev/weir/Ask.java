package dev.weir;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One question to a store: may all of these charges be made now? All are, or none is, unless the
 * terms are others.
 *
 * <p>Charges to one counter are summed, so a store sees each counter once.
 *
 * @param charges at least one; for {@link Terms.UpTo}, {@link Terms.Within} and {@link
 *     Terms.Leased}, one
 * @param onOutage what holds when the shared store cannot decide
 * @param deadline when the answer is due, whatever happens
 */
public record Ask(List<Charge> charges, Terms terms, OnOutage onOutage, Deadline deadline) {

  /**
   * @throws IllegalArgumentException when there is no charge, when one counter stands here with two
   *     different limits, when the permits of one counter add up to more than a long holds, or when
   *     the terms are of one counter and there are several
   */
  public Ask {
    charges = summed(charges);
    Objects.requireNonNull(terms, "terms");
    Objects.requireNonNull(onOutage, "onOutage");
    Objects.requireNonNull(deadline, "deadline");
    if (charges.isEmpty()) {
      throw Expect.failure("charges", charges, "at least one");
    }
    if (charges.size() > 1 && isOfOneCounter(terms)) {
      throw Expect.failure("charges", charges.size(), "of one counter, on the terms " + terms);
    }
  }

  /** One for exactly these charges. */
  public Ask(List<Charge> charges, OnOutage onOutage, Deadline deadline) {
    this(charges, Terms.EXACTLY, onOutage, deadline);
  }

  /** The same, whose deadline has begun: for a store that may have to wait. */
  public Ask begun() {
    return deadline.hasBegun() ? this : new Ask(charges, terms, onOutage, deadline.begun());
  }

  private static boolean isOfOneCounter(Terms terms) {
    return terms instanceof Terms.UpTo
        || terms instanceof Terms.Within
        || terms instanceof Terms.Leased;
  }

  private static List<Charge> summed(List<Charge> charges) {
    if (charges.size() < 2) {
      return List.copyOf(charges);
    }
    List<Charge> sums = new ArrayList<>(charges.size());
    for (Charge charge : charges) {
      add(charge, sums);
    }
    return List.copyOf(sums);
  }

  private static void add(Charge charge, List<Charge> sums) {
    for (int i = 0; i < sums.size(); i++) {
      if (sums.get(i).counter().isSameAs(charge.counter())) {
        sums.set(i, sum(sums.get(i), charge));
        return;
      }
    }
    sums.add(charge);
  }

  private static Charge sum(Charge one, Charge other) {
    if (!one.counter().limit().equals(other.counter().limit())) {
      throw Expect.failure(
          "limit",
          other.counter().limit(),
          "'" + one.counter().limit() + "', as in the other charge of " + one.counter().name());
    }
    if (one.permits() > Long.MAX_VALUE - other.permits()) {
      throw Expect.failure(
          "permits", one.permits() + " + " + other.permits(), "a sum that a long holds");
    }
    return new Charge(one.counter(), one.permits() + other.permits());
  }
}
