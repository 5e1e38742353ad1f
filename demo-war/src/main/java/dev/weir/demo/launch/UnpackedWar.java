package dev.weir.demo.launch;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A WAR in a temporary directory that is named after this process. If the process is killed, the
 * next demo removes the directory.
 */
final class UnpackedWar {

  private static final String PREFIX = "weir-demo-";

  private final Path directory;

  private UnpackedWar(Path directory) {
    this.directory = directory;
  }

  static UnpackedWar unpack(Path war) throws IOException {
    deleteOrphans();
    UnpackedWar unpacked =
        new UnpackedWar(
            Files.createTempDirectory(PREFIX + ProcessHandle.current().pid() + "-").toRealPath());
    try {
      unpacked.fill(war);
    } catch (IOException e) {
      unpacked.delete();
      throw e;
    }
    return unpacked;
  }

  Path directory() {
    return directory;
  }

  /** Returns the server's own classes, then its jars. */
  List<URL> serverClassPath() throws IOException {
    Path server = directory.resolve("WEB-INF/server");
    List<URL> classPath = new ArrayList<>();
    classPath.add(url(server.resolve("classes")));
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(server.resolve("lib"), "*.jar")) {
      for (Path jar : jars) {
        classPath.add(url(jar));
      }
    }
    return classPath;
  }

  void delete() {
    deleteTree(directory);
  }

  private void fill(Path war) throws IOException {
    try (ZipFile zip = new ZipFile(war.toFile())) {
      Enumeration<? extends ZipEntry> entries = zip.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        if (!entry.isDirectory()) {
          copy(zip, entry);
        }
      }
    }
  }

  private void copy(ZipFile zip, ZipEntry entry) throws IOException {
    Path target = directory.resolve(entry.getName()).normalize();
    if (!target.startsWith(directory)) {
      throw new IOException("entry: " + entry.getName() + " (expected: one inside the WAR)");
    }
    Files.createDirectories(target.resolveSibling("."));
    try (InputStream content = zip.getInputStream(entry)) {
      Files.copy(content, target);
    }
  }

  private static void deleteOrphans() throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    try (DirectoryStream<Path> found = Files.newDirectoryStream(temporary, PREFIX + "*")) {
      for (Path candidate : found) {
        if (isOrphan(candidate)) {
          deleteTree(candidate);
        }
      }
    }
  }

  private static boolean isOrphan(Path candidate) {
    String name = candidate.getFileName().toString();
    int dash = name.indexOf('-', PREFIX.length());
    if (dash < 0) {
      return false;
    }
    try {
      long pid = Long.parseLong(name, PREFIX.length(), dash, 10);
      return ProcessHandle.of(pid).isEmpty();
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** Deletes as much as possible: it skips files of another user or held by a virus scanner. */
  private static void deleteTree(Path root) {
    if (Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> children = Files.newDirectoryStream(root)) {
        children.forEach(UnpackedWar::deleteTree);
      } catch (IOException e) {
        return;
      }
    }
    try {
      Files.deleteIfExists(root);
    } catch (IOException e) {
      System.getLogger(UnpackedWar.class.getName())
          .log(System.Logger.Level.DEBUG, "left behind: " + root, e);
    }
  }

  private static URL url(Path path) throws MalformedURLException {
    return path.toUri().toURL();
  }
}
