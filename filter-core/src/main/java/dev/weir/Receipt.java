package dev.weir;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a decision charged, and where, so that what was granted here is never given back there.
 *
 * @param source the store that granted
 * @param grants one for each counter charged; empty when nothing was
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
   * @param stamp what the store needs to know the state it took from: for a window, its end in
   *     microseconds of the store's clock; of a concurrency limit, the id of the hold, which no
   *     other has; for a bucket, the instant from which the permits may be used
   */
  public record Grant(Charge charge, long stamp) {

    public Grant {
      Objects.requireNonNull(charge, "charge");
    }

    /** Whether the permits are held until they are released, not consumed. */
    public boolean isHeld() {
      return charge.counter().limit() instanceof Concurrency;
    }
  }

  public Receipt {
    Objects.requireNonNull(source, "source");
    grants = List.copyOf(grants);
  }

  /**
   * What of this is held: that of concurrency limits. To give this back releases what a request
   * held while it ran, and leaves spent what it has consumed.
   */
  public Receipt held() {
    return those(true);
  }

  /** What of this is consumed: the rest of it. */
  public Receipt consumed() {
    return those(false);
  }

  /** Nearly always all of them are of one kind, and nothing is copied. */
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

  /** The receipt of a denial, or of a look. */
  public static Receipt nothing(Source source) {
    return Objects.requireNonNull(NOTHING.get(source), "source");
  }
}
