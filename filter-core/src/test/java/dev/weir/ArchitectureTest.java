package dev.weir;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;

/** The walls of the house. */
@AnalyzeClasses(packages = "dev.weir", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String SCRIPT = "dev.weir.redis.internal.script";
  private static final String CONFIG = "dev.weir.config..";
  private static final String CLIENT = "dev.weir.redis.internal.client";
  private static final String PERMIT = "dev.weir.internal.permit";
  private static final String WAIT = "dev.weir.internal.wait";

  @ArchTest
  static final ArchRule core_knows_only_limits_and_the_JDK = onlyDependOn("dev.weir", PERMIT, WAIT);

  @ArchTest static final ArchRule limits_know_only_the_JDK = onlyDependOn("dev.weir.limit");

  @ArchTest
  static final ArchRule internal_knows_the_core = onlyDependOn("dev.weir.internal", "dev.weir");

  @ArchTest static final ArchRule permits_know_the_core = onlyDependOn(PERMIT, "dev.weir");

  @ArchTest static final ArchRule waits_know_the_core = onlyDependOn(WAIT, "dev.weir");

  @ArchTest
  static final ArchRule scripts_know_the_core_and_the_codec =
      onlyDependOn(SCRIPT, "dev.weir", "redis.clients..", "javax.crypto..");

  @ArchTest
  static final ArchRule the_client_of_a_primary_knows_scripts_and_Jedis =
      onlyDependOn(CLIENT, "dev.weir", SCRIPT, "redis.clients..", "javax.net.ssl");

  @ArchTest
  static final ArchRule redis_knows_scripts_clients_and_the_core =
      onlyDependOn(
          "dev.weir.redis", "dev.weir", SCRIPT, CLIENT, "redis.clients..", "javax.net.ssl");

  @ArchTest static final ArchRule the_inside_of_redis_is_its_own = onlySeenBy("dev.weir.redis");

  @ArchTest
  static final ArchRule the_inside_of_http_is_its_own = onlySeenBy("dev.weir.http", CONFIG);

  @ArchTest
  static final ArchRule config_sees_only_the_checks_of_http =
      noClasses()
          .that()
          .resideInAPackage(CONFIG)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.weir.http.internal..")
                  .and(not(resideInAPackage("dev.weir.http.internal.check"))));

  @ArchTest
  static final ArchRule local_knows_the_core_and_Bucket4j =
      onlyDependOn("dev.weir.local", "dev.weir", "dev.weir.internal", "io.github.bucket4j..");

  @ArchTest
  static final ArchRule near_knows_the_core_and_Caffeine =
      onlyDependOn(
          "dev.weir.near", "dev.weir", "dev.weir.internal", "com.github.benmanes.caffeine..");

  @ArchTest
  static final ArchRule http_knows_the_core_addresses_and_concurrency_limits =
      onlyDependOn(
          "dev.weir.http",
          "dev.weir",
          WAIT,
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
          "dev.weir.redis",
          "dev.weir.local",
          "dev.weir.near",
          "dev.weir.http",
          "dev.weir.http.internal.check",
          "dev.weir.config.internal..",
          "javax.management",
          "org.snakeyaml.engine..");

  @ArchTest
  static final ArchRule parts_of_config_are_free_of_cycles =
      slices().matching("dev.weir.config.internal.(*)").should().beFreeOfCycles();

  @ArchTest static final ArchRule the_inside_of_config_is_its_own = onlySeenBy("dev.weir.config");

  /** What is held and what waits knows limits. They know only what lies above both. */
  @ArchTest
  static final ArchRule packages_are_free_of_cycles =
      slices()
          .matching("dev.weir.(*)..")
          .should()
          .beFreeOfCycles()
          .ignoreDependency(resideInAnyPackage(PERMIT, WAIT), resideInAPackage("dev.weir.limit"));

  @ArchTest static final ArchRule nothing_prints = NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

  @ArchTest
  static final ArchRule logging_is_the_platforms =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.util.logging", "org.slf4j");

  private static ArchRule onlySeenBy(String home, String... others) {
    return noClasses()
        .that(resideOutsideOfPackage(home + ".."))
        .and(resideOutsideOfPackages(others))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(home + ".internal..");
  }

  private static ArchRule onlyDependOn(String home, String... others) {
    List<String> allowed = new ArrayList<>(List.of(others));
    allowed.addAll(List.of(home, "java..", "org.jspecify.annotations"));
    allowed.addAll(List.of("dev.weir.limit", "dev.weir.internal"));
    return classes()
        .that()
        .resideInAPackage(home)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed.toArray(String[]::new))
        .allowEmptyShould(true);
  }
}
