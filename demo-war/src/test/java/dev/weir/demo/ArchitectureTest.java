package dev.weir.demo;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.weir.AdapterWalls;

/** The application, the server around it and what starts both are loaded apart, and written so. */
class ArchitectureTest {

  @AnalyzeClasses(packages = "dev.weir.demo.launch", importOptions = DoNotIncludeTests.class)
  static class Launch {

    @ArchTest
    static final ArchRule it_uses_the_jdk_alone = AdapterWalls.onlySees("dev.weir.demo.launch");
  }

  @AnalyzeClasses(packages = "dev.weir.demo", importOptions = DoNotIncludeTests.class)
  static class Demo {

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
  }
}
