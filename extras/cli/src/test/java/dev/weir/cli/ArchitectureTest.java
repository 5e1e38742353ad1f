package dev.weir.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** It uses what any user may use, and the words of messages. */
@AnalyzeClasses(packages = "dev.weir.cli", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule it_sees_the_public_types_alone =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "org.jspecify.annotations",
              "picocli..",
              "dev.weir.cli",
              "dev.weir.internal",
              "dev.weir.config",
              "dev.weir.http",
              "dev.weir.http.spi",
              "dev.weir.limit",
              "dev.weir.local",
              "dev.weir.redis",
              "dev.weir.store");

  @ArchTest
  static final ArchRule the_streams_are_those_of_the_terminal =
      noClasses()
          .that()
          .doNotHaveSimpleName("Terminal")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.io.Console");
}
