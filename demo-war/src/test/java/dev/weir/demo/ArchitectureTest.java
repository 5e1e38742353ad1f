package dev.weir.demo;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The application, the server around it and what starts both are loaded apart, and written so. */
@AnalyzeClasses(packages = "dev.weir.demo", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule the_application_knows_no_server =
      noClasses()
          .that()
          .resideInAPackage("dev.weir.demo")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.weir.demo.server", "dev.weir.demo.launch", "org.eclipse.jetty..", "picocli..");

  @ArchTest
  static final ArchRule the_server_knows_no_limits =
      noClasses()
          .that()
          .resideInAPackage("dev.weir.demo.server")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.weir.demo",
              "dev.weir.demo.launch",
              "dev.weir",
              "dev.weir.http",
              "dev.weir.config",
              "dev.weir.redis",
              "dev.weir.local");

  @ArchTest
  static final ArchRule nothing_here_knows_the_internals_of_weir =
      noClasses().should().dependOnClassesThat().resideInAPackage("dev.weir..internal..");

  @ArchTest
  static final ArchRule the_launcher_uses_the_jdk_alone =
      noClasses()
          .that()
          .resideInAPackage("dev.weir.demo.launch")
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages("java..", "dev.weir.demo.launch", "org.jspecify.annotations");
}
