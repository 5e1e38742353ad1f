package dev.weir.containers;

import dev.weir.fixture.Jdk;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Undertow, embedded in {@link UndertowMain}: it has no distribution. */
record Undertow(String version) implements Container {

  @Override
  public String name() {
    return "Undertow " + version;
  }

  @Override
  public Edition edition() {
    return Edition.JAKARTA;
  }

  @Override
  public List<String> prepare(Path war, Path place, int port, Jdk jdk) throws IOException {
    Path application = place.resolve("shop");
    Artifacts.unpack(war, application);
    List<Path> jars = Artifacts.withDependencies("io.undertow:undertow-servlet:" + version);
    String classPath =
        Stream.concat(Stream.of(Artifacts.testClasses()), jars.stream())
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    return List.of(
        jdk.home().resolve("bin/java").toString(),
        "-Xmx256m",
        "-cp",
        classPath,
        UndertowMain.class.getName(),
        application.toString(),
        String.valueOf(port));
  }
}
