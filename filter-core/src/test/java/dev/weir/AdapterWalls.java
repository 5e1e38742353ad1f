package dev.weir;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.lessThanOrEqualTo;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.conditions.ArchConditions.containNumberOfElements;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;

/** The walls that every adapter lives between. */
public final class AdapterWalls {

  private static final String[] CORE = {
    "java..",
    "org.jspecify.annotations",
    "dev.weir",
    "dev.weir.limit",
    "dev.weir.http",
    "dev.weir.config"
  };

  private AdapterWalls() {}

  /** Allows dependencies on the core, its rules and its configuration, on itself and on its API. */
  public static ArchRule onlySees(String itself, String... api) {
    return classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            Stream.of(CORE, new String[] {itself}, api).flatMap(Stream::of).toArray(String[]::new));
  }

  /** So that an adapter stays thin. Nested ones belong to the type that they stand in. */
  public static ArchRule atMost(int types) {
    return classes()
        .that(describe("are top level", JavaClass::isTopLevelClass))
        .and(not(simpleName("package-info")))
        .should(containNumberOfElements(lessThanOrEqualTo(types)));
  }
}
