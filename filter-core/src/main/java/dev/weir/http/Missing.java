package dev.weir.http;

import java.util.Locale;

/** The subject of a request that lacks a part of its subject. There is always one. */
public enum Missing {
  /**
   * The client's address instead of the part. It is counted apart from what rules by {@code ip}
   * count, as an existing part would be. A request that lacks a part costs no more than one that
   * has it.
   */
  IP,
  /** One shared subject for all requests that lack the part. */
  SHARED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
