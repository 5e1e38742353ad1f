package dev.weir.containers;

import dev.weir.fixture.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Tomcat with a jar in its {@code lib}, for all applications.
 *
 * @param more is laid into its place before it starts
 */
record TomcatWithLibrary(Tomcat tomcat, Path jar, Laying more) implements Container {

  /** Lays something into the place of a container. */
  interface Laying {
    void into(Path place) throws IOException;
  }

  @Override
  public String name() {
    return tomcat.name();
  }

  @Override
  public Edition edition() {
    return tomcat.edition();
  }

  @Override
  public List<String> prepare(Path war, Path place, int port, Jdk jdk) throws IOException {
    List<String> command = tomcat.prepare(war, place, port, jdk);
    Files.createDirectories(place.resolve("lib"));
    Files.copy(jar, place.resolve("lib").resolve(jar.getFileName()));
    more.into(place);
    return command;
  }
}
