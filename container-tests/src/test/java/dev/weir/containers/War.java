package dev.weir.containers;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A web application as a build tool packs it. */
final class War {

  private final Map<String, byte[]> entries = new LinkedHashMap<>();

  War with(String entry, String text) {
    entries.put(entry, text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  War libraries(List<Path> jars) throws IOException {
    for (Path jar : jars) {
      entries.put("WEB-INF/lib/" + jar.getFileName(), Files.readAllBytes(jar));
    }
    return this;
  }

  /** Classes of these tests. */
  War classes(Class<?>... classes) throws IOException {
    for (Class<?> each : classes) {
      String entry = each.getName().replace('.', '/') + ".class";
      entries.put(
          "WEB-INF/classes/" + entry, Files.readAllBytes(Artifacts.testClasses().resolve(entry)));
    }
    return this;
  }

  /** Classes of a jar, by their names. */
  War classes(Path jar, String... names) throws IOException {
    try (FileSystem inside = FileSystems.newFileSystem(jar)) {
      for (String name : names) {
        String entry = name.replace('.', '/') + ".class";
        entries.put("WEB-INF/classes/" + entry, Files.readAllBytes(inside.getPath(entry)));
      }
    }
    return this;
  }

  /** Writes it to a file, and returns that. */
  Path writeTo(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
      }
    }
    return file;
  }
}
