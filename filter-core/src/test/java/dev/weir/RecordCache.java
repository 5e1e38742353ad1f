package dev.weir;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.runtime.ObjectMethods;

/**
 * JDK 17 holds the types of the record that was last compared or hashed for the first time, and so
 * the class loader of an application that brought it, until there is another such record. Here is
 * another one.
 */
public record RecordCache(Jdk other) {

  /** Holds nothing of any application then. */
  public static void turnOver() throws Throwable {
    link("equals", MethodType.methodType(boolean.class, RecordCache.class, Object.class));
    link("hashCode", MethodType.methodType(int.class, RecordCache.class));
  }

  private static void link(String method, MethodType type) throws Throwable {
    Lookup lookup = MethodHandles.lookup();
    ObjectMethods.bootstrap(
        lookup,
        method,
        type,
        RecordCache.class,
        "other",
        lookup.findGetter(RecordCache.class, "other", Jdk.class));
  }
}
