package dev.weir.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.weir.fixture.AdapterWalls;
import dev.weir.fixture.Walls;

@AnalyzeClasses(packages = "dev.weir.testing", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  /** Neither a test framework, nor rules, nor Redis. */
  @ArchTest
  static final ArchRule it_sees_limiters_stores_and_how_they_wait =
      Walls.onlyDependOn(
          "dev.weir.testing",
          "dev.weir",
          "dev.weir.store",
          "dev.weir.local",
          "dev.weir.internal.store",
          "dev.weir.internal.permit",
          "dev.weir.internal.wait");

  @ArchTest
  static final ArchRule no_signature_shows_what_is_internal = Walls.nothingInternalShows();

  @ArchTest
  static final ArchRule a_user_sees_three_types =
      classes()
          .that()
          .arePublic()
          .should()
          .haveSimpleName("ManualClock")
          .orShould()
          .haveSimpleName("TestStore")
          .orShould()
          .haveSimpleName("LimiterAssert");

  /** Three for users, and three behind the store. */
  @ArchTest static final ArchRule it_is_at_most_six_types = AdapterWalls.atMost(6);
}
