package dev.weir;

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

/** The walls of the house. */
@AnalyzeClasses(packages = "dev.weir", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String SCRIPT = "dev.weir.redis.internal.script";
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
  static final ArchRule local_knows_the_core_and_Bucket4j =
      onlyDependOn("dev.weir.local", "dev.weir", "dev.weir.internal", "io.github.bucket4j..");

  @ArchTest
  static final ArchRule near_knows_the_core_and_Caffeine =
      onlyDependOn(
          "dev.weir.near", "dev.weir", "dev.weir.internal", "com.github.benmanes.caffeine..");

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
}
