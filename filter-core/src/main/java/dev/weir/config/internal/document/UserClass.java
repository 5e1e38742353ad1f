package dev.weir.config.internal.document;

import java.lang.reflect.InvocationTargetException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Instantiates classes that a user names, found by this loader. */
public record UserClass(ClassLoader classLoader) {

  private static final Pattern NAME =
      Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)+");

  /** Returns whether this is the name of a class in a package. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  public <T> Optional<T> make(Value value, String expected, Class<T> type) {
    return value.text(expected).flatMap(name -> made(value, name, type));
  }

  private <T> Optional<T> made(Value value, String className, Class<T> type) {
    String found = "class " + Redacted.quoted(className);
    try {
      Class<?> loaded = Class.forName(className, true, classLoader);
      if (!type.isAssignableFrom(loaded)) {
        value.problem(found, "a class that implements " + type.getName());
        return Optional.empty();
      }
      return Optional.of(type.cast(loaded.getConstructor().newInstance()));
    } catch (ClassNotFoundException | LinkageError absent) {
      value.problem(found, "a class that the application can load");
    } catch (InvocationTargetException failed) {
      value.problem(
          found + ", which threw " + failed.getTargetException().getClass().getName(),
          "a class that can be made");
    } catch (ReflectiveOperationException inaccessible) {
      value.problem(found, "a public class with a public constructor without parameters");
    }
    return Optional.empty();
  }
}
