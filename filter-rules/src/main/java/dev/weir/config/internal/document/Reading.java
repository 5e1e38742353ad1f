package dev.weir.config.internal.document;

import dev.weir.config.ConfigurationException;
import dev.weir.config.WeirSource.Resources;
import dev.weir.internal.Redaction;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The reading of one source: what all its values share, and the problems found so far, so that all
 * of them are reported at once.
 */
public final class Reading {

  private static final String CLASS_PATH = "classpath:";

  private final String file;
  private final Variables variables;
  private final ClassLoader classLoader;
  private final Resources resources;
  private final Assumptions assumptions;
  private final UnaryOperator<String> naming;
  private final List<ConfigurationException.Problem> problems = new ArrayList<>();

  /**
   * Begins to read a source.
   *
   * @param classLoader finds the classes and resources that the source names
   * @param resources of the web application, which the source names too
   * @param assumptions what may be missing here
   * @param naming maps a path to the name that the user knows: the path itself in a file, the
   *     param's name in a filter's init-params
   */
  public Reading(
      String file,
      Variables variables,
      ClassLoader classLoader,
      Resources resources,
      Assumptions assumptions,
      UnaryOperator<String> naming) {
    this.file = file;
    this.variables = variables;
    this.classLoader = classLoader;
    this.resources = resources;
    this.assumptions = assumptions;
    this.naming = naming;
  }

  /** Begins to read a source that names no resources of the web application. */
  public Reading(
      String file, Variables variables, ClassLoader classLoader, UnaryOperator<String> naming) {
    this(file, variables, classLoader, Resources.NONE, Assumptions.none(), naming);
  }

  public static Reading ofFile(String file, Variables variables, ClassLoader classLoader) {
    return new Reading(file, variables, classLoader, UnaryOperator.identity());
  }

  /**
   * Returns the scalar with its variables, as {@link Variables#substituted} does. The result is
   * empty too if the value of one is assumed, which is no problem.
   */
  Optional<String> substituted(String scalar, BiConsumer<String, String> problem) {
    return variables.substituted(scalar, assumptions::isSet, problem);
  }

  Assumptions assumptions() {
    return assumptions;
  }

  public ClassLoader classLoader() {
    return classLoader;
  }

  /**
   * Opens what the source names: a resource of the class path ({@code classpath:NAME}) or of the
   * web application, or else a file. Returns null if there is none.
   *
   * @throws java.nio.file.InvalidPathException when the place is none of these
   */
  public @Nullable InputStream open(String place) throws IOException {
    if (place.startsWith(CLASS_PATH)) {
      return classLoader.getResourceAsStream(place.substring(CLASS_PATH.length()));
    }
    InputStream resource = place.startsWith("/") ? resources.open(place) : null;
    Path path = Path.of(place);
    return resource == null && Files.isRegularFile(path) ? Files.newInputStream(path) : resource;
  }

  boolean hasProblems() {
    return !problems.isEmpty();
  }

  public void problem(Node.Place place, String path, String found, String expected) {
    problem(place, path, found, expected, Optional.empty());
  }

  public void problem(
      Node.Place place, String path, String found, String expected, Optional<String> suggestion) {
    problemOf(place, naming.apply(path), found, expected, suggestion);
  }

  /** Reports a problem of the setting that the user knows by this name. */
  public void problemOf(
      Node.Place place, String field, String found, String expected, Optional<String> suggestion) {
    problems.add(problem(file, place, field, found, expected, suggestion));
  }

  public void throwIfAny() {
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
  }

  /** Returns the exception of a single problem, which prevents further reading. */
  public static ConfigurationException refused(
      String file, Node.Place place, String field, String found, String expected) {
    return new ConfigurationException(
        List.of(problem(file, place, field, found, expected, Optional.empty())));
  }

  private static ConfigurationException.Problem problem(
      String file,
      Node.Place place,
      String field,
      String found,
      String expected,
      Optional<String> suggestion) {
    return new ConfigurationException.Problem(
        file,
        place.line(),
        place.column(),
        field,
        Redaction.masked(found),
        expected,
        suggestion.map(Redaction::masked));
  }
}
