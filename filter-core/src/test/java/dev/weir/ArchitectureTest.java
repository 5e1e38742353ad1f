package dev.weir;

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

/** The walls of the house. */
@AnalyzeClasses(packages = "dev.weir", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String STORE = "dev.weir.store";
  private static final String SCRIPT = "dev.weir.redis.internal.script";
  private static final String CLIENT = "dev.weir.redis.internal.client";
  private static final String OF_STORES = "dev.weir.internal.store";
  private static final String PERMIT = "dev.weir.internal.permit";
  private static final String WAIT = "dev.weir.internal.wait";

  @ArchTest static final ArchRule internal_knows_only_the_JDK = onlyDependOn("dev.weir.internal");

  @ArchTest static final ArchRule limits_know_only_the_JDK = onlyDependOn("dev.weir.limit");

  @ArchTest static final ArchRule the_store_knows_only_limits = onlyDependOn(STORE);

  @ArchTest
  static final ArchRule what_stores_share_knows_the_store =
      onlyDependOn(OF_STORES, STORE, "javax.crypto..");

  @ArchTest static final ArchRule permits_know_the_store = onlyDependOn(PERMIT, STORE, OF_STORES);

  @ArchTest static final ArchRule waits_know_permits = onlyDependOn(WAIT, STORE, OF_STORES, PERMIT);

  @ArchTest
  static final ArchRule scripts_know_the_store_and_the_codec =
      onlyDependOn(SCRIPT, STORE, OF_STORES, "redis.clients..");

  @ArchTest
  static final ArchRule the_client_of_a_primary_knows_scripts_and_Jedis =
      onlyDependOn(CLIENT, STORE, OF_STORES, SCRIPT, "redis.clients..", "javax.net.ssl");

  @ArchTest
  static final ArchRule redis_knows_scripts_clients_and_the_store =
      onlyDependOn(
          "dev.weir.redis", STORE, OF_STORES, SCRIPT, CLIENT, "redis.clients..", "javax.net.ssl");

  @ArchTest static final ArchRule the_inside_of_redis_is_its_own = onlySeenBy("dev.weir.redis");

  @ArchTest
  static final ArchRule local_knows_the_store_and_Bucket4j =
      onlyDependOn("dev.weir.local", STORE, OF_STORES, "io.github.bucket4j..");

  @ArchTest
  static final ArchRule near_knows_the_store_and_Caffeine =
      onlyDependOn("dev.weir.near", STORE, OF_STORES, "com.github.benmanes.caffeine..");

  /** Each package is a slice, the root too. */
  @ArchTest
  static final ArchRule packages_are_free_of_cycles =
      slices().assignedFrom(Walls.EACH_PACKAGE).should().beFreeOfCycles();

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
