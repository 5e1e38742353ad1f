package dev.weir.internal;

import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.Map;

/** A map of the most recently used entries, no more than a fixed number. Not thread-safe. */
public final class RecentlyUsed<K, V> extends LinkedHashMap<K, V> {

  @Serial private static final long serialVersionUID = 1;

  private final int most;

  /** Creates a map that keeps so many entries, at least 1. */
  public RecentlyUsed(int most) {
    super(16, 0.75f, true);
    this.most = most;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
