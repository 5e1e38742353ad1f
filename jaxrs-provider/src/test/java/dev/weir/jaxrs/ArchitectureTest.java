package dev.weir.jaxrs;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.weir.fixture.AdapterWalls;

@AnalyzeClasses(packages = "dev.weir.jaxrs", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule it_sees_rules_configuration_and_JAX_RS =
      AdapterWalls.onlySees(
          "dev.weir.jaxrs", "jakarta.ws.rs..", "jakarta.annotation", "jakarta.servlet..");

  /** Five for requests, one that the container starts, and one that knows servlets. */
  @ArchTest static final ArchRule it_is_at_most_seven_types = AdapterWalls.atMost(7);
}
