package com.example;

import dev.weir.http.LimitFunction;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The quota of a customer as a user of the library would read it from a table of a database. */
public final class QuotaOf implements LimitFunction {

  /** The rows: the key of a customer, and its quota. */
  public static final Map<String, String> TABLE = new ConcurrentHashMap<>();

  @Override
  public @Nullable String limitOf(String key) {
    return TABLE.get(key);
  }
}
