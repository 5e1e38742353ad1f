package dev.weir.config;

import dev.weir.http.FakeRequest;
import java.lang.management.ManagementFactory;

/**
 * A process that decides by Redis until it reads a byte, and then without it. It prints {@code
 * ready} before, and then the store that decides and how many classes the outage has loaded.
 * Arguments: the URI of Redis; whether to rehearse an outage before.
 */
final class FirstOutageNode {

  private static final int REQUESTS = 20;

  private FirstOutageNode() {}

  @SuppressWarnings("SystemOut") // how a process speaks to the one that started it
  public static void main(String[] args) throws Exception {
    String yaml =
        """
        application: first
        redis: { uri: "%s", deadline: 5s }
        rules: [{ name: all, match: /**, limits: [1000 per hour, 1000 per day window] }]
        """
            .formatted(args[0]);
    try (Weir weir = Weir.open(Weirs.webInf(yaml, Weirs.application()))) {
      decide(weir);
      if (Boolean.parseBoolean(args[1])) {
        OutageRehearsal.run();
      }
      System.out.println("ready");
      int unused = System.in.read();
      long before = loaded();
      decide(weir);
      long inOutage = loaded() - before;
      System.out.println(weir.status().store() + " " + inOutage);
    }
  }

  private static long loaded() {
    return ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
  }

  private static void decide(Weir weir) {
    for (int i = 0; i < REQUESTS; i++) {
      boolean unused = Weirs.passes(weir, FakeRequest.get("/a"));
    }
  }
}
