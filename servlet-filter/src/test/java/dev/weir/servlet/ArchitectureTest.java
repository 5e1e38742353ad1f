package dev.weir.servlet;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.weir.fixture.AdapterWalls;

@AnalyzeClasses(packages = "dev.weir.servlet", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule it_sees_rules_configuration_and_servlets =
      AdapterWalls.onlySees("dev.weir.servlet", "jakarta.servlet..");

  /** Six for requests, one that the container starts, and one page. */
  @ArchTest static final ArchRule it_is_at_most_eight_types = AdapterWalls.atMost(8);
}
