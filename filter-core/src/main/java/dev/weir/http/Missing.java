package dev.weir.http;

import java.util.Locale;

/** Who is counted where a request lacks a part of its subject; never nobody. */
public enum Missing {
  /**
   * The client's address instead of the part. It is counted apart from what rules by {@code ip}
   * count, as a part that is there would be: a request that lacks a part costs no more than one
   * that has it.
   */
  IP,
  /** All requests that lack it together. */
  SHARED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
