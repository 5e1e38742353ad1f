package dev.weir.http;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.weir.fixture.Walls.onlyDependOn;
import static dev.weir.fixture.Walls.onlySeenBy;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.weir.fixture.Walls;

/** The walls of the rules. */
@AnalyzeClasses(
    packages = {"dev.weir.http", "dev.weir.config"},
    importOptions = DoNotIncludeTests.class)
class RulesArchitectureTest {

  private static final String CONFIG = "dev.weir.config..";
  private static final String STORE = "dev.weir.store";
  private static final String OF_STORES = "dev.weir.internal.store";
  private static final String PERMIT = "dev.weir.internal.permit";
  private static final String WAIT = "dev.weir.internal.wait";

  @ArchTest
  static final ArchRule config_sees_only_the_checks_and_the_readers_of_pages_of_http =
      noClasses()
          .that()
          .resideInAPackage(CONFIG)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.weir.http.internal..")
                  .and(
                      not(
                          resideInAnyPackage(
                              "dev.weir.http.internal.check", "dev.weir.http.internal.page"))));

  @ArchTest
  static final ArchRule http_knows_the_core_addresses_and_concurrency_limits =
      onlyDependOn(
          "dev.weir.http",
          STORE,
          OF_STORES,
          PERMIT,
          WAIT,
          "dev.weir.http.spi",
          "dev.weir.http.internal..",
          "inet.ipaddr..",
          "com.netflix.concurrency..");

  @ArchTest
  static final ArchRule parts_of_http_are_free_of_cycles =
      slices().matching("dev.weir.http.internal.(*)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule config_wires_all_of_the_core =
      onlyDependOn(
          "dev.weir.config",
          "dev.weir",
          STORE,
          OF_STORES,
          PERMIT,
          WAIT,
          "dev.weir.redis",
          "dev.weir.local",
          "dev.weir.near",
          "dev.weir.http",
          "dev.weir.http.spi",
          "dev.weir.http.internal.check",
          "dev.weir.http.internal.page",
          "dev.weir.config.internal..",
          "javax.management",
          "org.snakeyaml.engine..");

  @ArchTest
  static final ArchRule parts_of_config_are_free_of_cycles =
      slices().matching("dev.weir.config.internal.(*)").should().beFreeOfCycles();

  @ArchTest static final ArchRule the_inside_of_config_is_its_own = onlySeenBy("dev.weir.config");

  @ArchTest
  static final ArchRule packages_are_free_of_cycles =
      slices().matching("dev.weir.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule no_signature_shows_what_is_internal = Walls.nothingInternalShows();

  @ArchTest static final ArchRule nothing_prints = NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

  @ArchTest
  static final ArchRule logging_is_the_platforms =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.util.logging", "org.slf4j");
}
