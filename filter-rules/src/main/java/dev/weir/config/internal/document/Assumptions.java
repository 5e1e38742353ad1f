package dev.weir.config.internal.document;

import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the reading of a configuration assumes where it runs outside of its application: values of
 * variables that are not set here, and files and classes that are not here. Used by one thread.
 */
public final class Assumptions {

  private final boolean ofEnvironment;
  private final boolean ofClasses;
  private final Set<String> notes = new LinkedHashSet<>();
  private boolean areRulesMissing;

  /**
   * @param ofEnvironment whether an unset variable has any value, and a missing file is as it
   *     should be, instead of being a problem
   * @param ofClasses whether an unknown class is as it should be, instead of being a problem
   */
  public Assumptions(boolean ofEnvironment, boolean ofClasses) {
    this.ofEnvironment = ofEnvironment;
    this.ofClasses = ofClasses;
  }

  /** Returns an object that assumes nothing, as in a running application. */
  public static Assumptions none() {
    return new Assumptions(false, false);
  }

  /** Returns whether there may be classes that are not here. */
  public boolean haveClasses() {
    return ofClasses;
  }

  /** Returns whether this reference to an unset variable has any value. It is noted. */
  boolean isSet(String reference) {
    if (ofEnvironment) {
      notes.add(reference + " is not set: any value is assumed");
    }
    return ofEnvironment;
  }

  /** Returns whether this missing file, as a message shows it, is assumed. It is noted. */
  boolean hasFile(String shown) {
    if (ofEnvironment) {
      notes.add("file " + shown + " is not here: it is not checked");
    }
    return ofEnvironment;
  }

  /** Returns a stand-in for the class, which returns nothing. Empty if it is a problem. */
  <T> Optional<T> standIn(String name, Class<T> type) {
    if (!ofClasses) {
      return Optional.empty();
    }
    notes.add("class " + name + " is not on the class path: it is not checked, and not called");
    Object standIn =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "equals" -> proxy == arguments[0];
                  case "hashCode" -> name.hashCode();
                  case "toString" -> name;
                  case "receivesDecisions" -> false;
                  default -> method.getReturnType() == Optional.class ? Optional.empty() : null;
                });
    return Optional.of(type.cast(standIn));
  }

  /** Notes a rule that cannot be read, since a value of it is assumed. */
  void leftOut(String rule) {
    areRulesMissing = true;
    notes.add("rule " + rule + " is left out: it depends on what is not set here");
  }

  /** Returns whether rules were left out, so that advice about the others may be wrong. */
  public boolean areRulesMissing() {
    return areRulesMissing;
  }

  /** Returns what was assumed so far, one line each. */
  public List<String> notes() {
    return List.copyOf(notes);
  }
}
