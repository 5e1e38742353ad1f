package dev.weir.containers;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jboss.shrinkwrap.resolver.api.maven.Maven;

/** What this build has made, and what Maven Central has. */
final class Artifacts {

  private static final Path TARGET = Path.of(System.getProperty("weir.target"));

  /** Of this process alone: another one unpacks at the same time. */
  private static final Path PLACE =
      TARGET.resolve("containers").resolve(System.getProperty("weir.fork", "1"));

  private Artifacts() {}

  /** A jar that this build has made. */
  static Path built(String name) {
    Path file = TARGET.resolve("weir").resolve(name);
    if (!Files.isRegularFile(file)) {
      throw new IllegalStateException(file + ": nothing (expected: a jar that the build makes)");
    }
    return file;
  }

  /** The classes of these tests, for processes of their own. */
  static Path testClasses() {
    return TARGET.resolve("test-classes");
  }

  /** One file, such as {@code org.apache.tomcat:tomcat:zip:9.0.117}. */
  static Path file(String coordinates) {
    return Maven.resolver().resolve(coordinates).withoutTransitivity().asSingleFile().toPath();
  }

  /** Jars, and those that they need. */
  static List<Path> withDependencies(String... coordinates) {
    return Stream.of(Maven.resolver().resolve(coordinates).withTransitivity().asFile())
        .map(File::toPath)
        .toList();
  }

  /** The directory in an archive, unpacked once for all tests of a process. */
  static synchronized Path unpacked(String coordinates) throws IOException {
    Path archive = file(coordinates);
    Path place = PLACE.resolve(archive.getFileName().toString());
    if (!Files.isDirectory(place)) {
      Path unpacking = place.resolveSibling(place.getFileName() + ".part");
      unpack(archive, unpacking);
      Files.move(unpacking, place);
    }
    try (Stream<Path> inside = Files.list(place)) {
      return inside.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  /** Into a directory, which need not be there yet. */
  static void unpack(Path archive, Path place) throws IOException {
    try (InputStream file = Files.newInputStream(archive);
        ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path target = place.resolve(entry.getName()).normalize();
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          Files.copy(zip, target, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }
}
