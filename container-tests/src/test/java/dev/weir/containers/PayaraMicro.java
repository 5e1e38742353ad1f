package dev.weir.containers;

import dev.weir.fixture.Jdk;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Payara Micro, which is one jar. */
record PayaraMicro(String version) implements Container {

  @Override
  public String name() {
    return "Payara Micro " + version;
  }

  @Override
  public Edition edition() {
    return Edition.JAKARTA;
  }

  @Override
  public Map<String, String> ownFaults() {
    return Map.of(
        "path: half an escape",
        "it answers 200 with nothing, and calls no application",
        "dispatch:",
        "after asynchronous dispatches some requests get no response, others an empty one");
  }

  @Override
  public List<String> prepare(Path war, Path place, int port, Jdk jdk) {
    Path jar = Artifacts.file("fish.payara.extras:payara-micro:" + version);
    return List.of(
        jdk.home().resolve("bin/java").toString(),
        "-Xmx512m",
        "-jar",
        jar.toString(),
        "--rootdir",
        place.resolve("root").toString(),
        "--nocluster",
        "--port",
        String.valueOf(port),
        "--contextroot",
        "shop",
        "--deploy",
        war.toString());
  }
}
