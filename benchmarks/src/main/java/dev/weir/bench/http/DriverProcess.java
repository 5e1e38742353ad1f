package dev.weir.bench.http;

import dev.weir.bench.ChildJvm;
import dev.weir.bench.http.Driver.Outcome;
import java.io.IOException;
import java.util.List;

/**
 * The driver in a process of its own: its garbage is not collected on the server's time, and its
 * calls do not change how the server's code is compiled.
 */
record DriverProcess(ChildJvm jvm) implements AutoCloseable {

  static DriverProcess start() throws IOException {
    return new DriverProcess(
        ChildJvm.start(DriverMain.class, List.of("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC")));
  }

  Outcome run(Driver driver) throws IOException {
    return DriverMain.outcome(jvm.request(DriverMain.text(driver)));
  }

  @Override
  public void close() {
    jvm.close();
  }
}
