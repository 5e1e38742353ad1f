package dev.weir.store;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The charges of a decision, and the store that made them. So permits of one store are never
 * refunded in another.
 *
 * @param source the store that granted
 * @param grants one for each counter charged; empty when nothing was charged
 */
public record Receipt(Source source, List<Grant> grants) {

  private static final Map<Source, Receipt> NOTHING = new EnumMap<>(Source.class);

  static {
    for (Source source : Source.values()) {
      NOTHING.put(source, new Receipt(source, List.of()));
    }
  }

  /**
   * One counter's part of a receipt.
   *
   * @param charge what was taken
   * @param stamp identifies the state from which the store took the permits. For a window, it is
   *     its end in microseconds of the store's clock. For a concurrency limit, it is the unique id
   *     of the held permits. For a bucket, it is the instant from which the permits may be used
   */
  public record Grant(Charge charge, long stamp) {

    public Grant {
      Objects.requireNonNull(charge, "charge");
    }

    /** Returns whether the permits are held until they are released, and not consumed. */
    public boolean isHeld() {
      return charge.counter().limit().algorithm().isHeld();
    }
  }

  public Receipt {
    Objects.requireNonNull(source, "source");
    grants = List.copyOf(grants);
  }

  /**
   * Returns the held part of this: the permits of concurrency limits. A refund of that part
   * releases what a request held while it ran. What the request consumed stays spent.
   */
  public Receipt held() {
    return those(true);
  }

  /** Returns the consumed part of this: the rest. */
  public Receipt consumed() {
    return those(false);
  }

  /** Copies nothing in the usual case, when all grants are of one kind. */
  private Receipt those(boolean held) {
    int matching = 0;
    for (Grant grant : grants) {
      matching += grant.isHeld() == held ? 1 : 0;
    }
    if (matching == 0) {
      return nothing(source);
    }
    return matching == grants.size()
        ? this
        : new Receipt(source, grants.stream().filter(grant -> grant.isHeld() == held).toList());
  }

  /** Returns the receipt of a denial, or of a peek. */
  public static Receipt nothing(Source source) {
    return Objects.requireNonNull(NOTHING.get(source), "source");
  }
}
