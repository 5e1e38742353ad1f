package dev.weir.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.codehaus.mojo.animal_sniffer.ClassListBuilder;
import org.codehaus.mojo.animal_sniffer.SignatureChecker;
import org.codehaus.mojo.animal_sniffer.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The jars for old JVMs need nothing that a JVM of 8 lacks. None can be had here to run them. */
class Java8JarIT {

  private static final int MAGIC = 0xCAFEBABE;
  private static final int JAVA_8 = 52;

  /** What Java 8 has, method by method. */
  private static final String SIGNATURES = "org.codehaus.mojo.signature:java18:signature:1.0";

  /** What is not the JDK's: containers have some, and nothing uses the others. */
  private static final Set<String> NOT_OF_THE_JDK =
      Set.of(
          "javax.servlet.*",
          "javax.ws.rs.*",
          "jakarta.*",
          "dev.weir.shaded.redis.clients.authentication.*",
          "com.google.*",
          "org.json.*",
          "io.github.resilience4j.*",
          "net.sf.cglib.*");

  /** Java 8 has them: its compiler makes a method for each call, and its updates got the others. */
  private static final Set<String> MISSING_IN_THE_LIST =
      Set.of("java.lang.invoke.MethodHandle", "javax.net.ssl.SSLSocket");

  static Stream<Path> jars() {
    return Stream.of(Edition.values())
        .flatMap(it -> Stream.of(it.java8Filter(), it.java8Feature()));
  }

  @ParameterizedTest
  @MethodSource("jars")
  void every_class_is_one_that_Java_8_loads(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      List<? extends ZipEntry> classes =
          Collections.list(zip.entries()).stream()
              .filter(entry -> entry.getName().endsWith(".class"))
              .toList();
      assertThat(classes).hasSizeGreaterThan(1_000);
      for (ZipEntry each : classes) {
        try (DataInputStream in = new DataInputStream(zip.getInputStream(each))) {
          assertThat(in.readInt()).isEqualTo(MAGIC);
          in.readUnsignedShort(); // the minor version
          assertThat(in.readUnsignedShort()).as(each.getName()).isLessThanOrEqualTo(JAVA_8);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("jars")
  void every_call_of_the_JDK_is_one_that_Java_8_has(Path jar) throws IOException {
    assertThat(notInJava8(jar)).isEmpty();
  }

  /** The check finds what it is for: the same classes need more before they are rewritten. */
  @ParameterizedTest
  @MethodSource("jars")
  void before_they_are_rewritten_they_call_what_Java_8_lacks(Path jar) throws IOException {
    Path original = jar.resolveSibling(jar.getFileName().toString().replace("-java8", ""));
    assertThat(notInJava8(original))
        .anyMatch(it -> it.contains("java.util.List.of("))
        .anyMatch(it -> it.contains("java.lang.invoke.VarHandle"));
  }

  private static List<String> notInJava8(Path jar) throws IOException {
    Errors errors = new Errors();
    ClassListBuilder own = new ClassListBuilder(errors);
    own.process(jar.toFile());
    Set<String> ignored = new HashSet<>(own.getPackages());
    ignored.addAll(NOT_OF_THE_JDK);
    ignored.addAll(MISSING_IN_THE_LIST);
    try (InputStream signatures = Files.newInputStream(Artifacts.file(SIGNATURES))) {
      SignatureChecker checker = new SignatureChecker(signatures, ignored, errors);
      checker.setSourcePath(List.of());
      checker.process(jar.toFile());
    }
    return errors.found;
  }

  /** Collects what is wrong. */
  private static final class Errors implements Logger {

    private final List<String> found = new ArrayList<>();

    @Override
    public void error(String message) {
      found.add(message);
    }

    @Override
    public void error(String message, @Nullable Throwable cause) {
      found.add(message);
    }

    @Override
    public void info(String message) {}

    @Override
    public void info(String message, @Nullable Throwable cause) {}

    @Override
    public void debug(String message) {}

    @Override
    public void debug(String message, @Nullable Throwable cause) {}

    @Override
    public void warn(String message) {}

    @Override
    public void warn(String message, @Nullable Throwable cause) {}
  }
}
