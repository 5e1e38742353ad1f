package dev.weir.jaxrs;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.weir.AdapterWalls;

@AnalyzeClasses(packages = "dev.weir.jaxrs", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule it_sees_rules_configuration_and_JAX_RS =
      AdapterWalls.onlySees(
          "dev.weir.jaxrs", "jakarta.ws.rs..", "jakarta.annotation", "jakarta.servlet..");

  @ArchTest static final ArchRule it_is_at_most_five_types = AdapterWalls.atMostFiveTypes();
}
