package dev.weir.config;

/**
 * What {@link Weir#read(java.nio.file.Path, ReadOptions)} takes for granted. Outside of its
 * application, a configuration may name what is not there. Immutable; every {@code with} method
 * returns a changed copy.
 *
 * @param assumesEnvironment whether a variable that is not set has some value, and a file that is
 *     missing is as it should be. What depends on it is not checked, and left out of the
 *     description. A note names it
 * @param assumesClasses whether a class that cannot be loaded is as it should be. In the
 *     description, a stand-in that returns nothing takes its place. A note names it
 */
public record ReadOptions(boolean assumesEnvironment, boolean assumesClasses) {

  /** Takes nothing for granted: everything is there, as in a running application. */
  public static final ReadOptions STRICT = new ReadOptions(false, false);

  /** Returns options that assume each variable that is not set, and each missing file. */
  public ReadOptions withAssumedEnvironment() {
    return new ReadOptions(true, assumesClasses);
  }

  /** Returns options that assume each class that cannot be loaded. */
  public ReadOptions withAssumedClasses() {
    return new ReadOptions(assumesEnvironment, true);
  }
}
