package dev.weir.containers;

import dev.weir.jaxrs.RateLimitFeature;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/** Stops a server when its process shuts down, and prints what Weir has left. */
final class Stopping {

  /** What it says when nothing was left. */
  static final String NOTHING_LEFT = "left: threads [], MBeans []";

  private Stopping() {}

  static void by(Runnable stop, RateLimitFeature feature) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(stop, feature)));
  }

  @SuppressWarnings("SystemOut") // the log of this process
  static void say(String line) {
    System.out.println(line);
  }

  private static void stop(Runnable stop, RateLimitFeature feature) {
    say("running: threads " + threads());
    stop.run();
    feature.close();
    say("left: threads " + threads() + ", MBeans " + beans());
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("weir"))
        .sorted()
        .toList();
  }

  private static Set<ObjectName> beans() {
    try {
      return ManagementFactory.getPlatformMBeanServer()
          .queryNames(new ObjectName("dev.weir*:*"), null);
    } catch (MalformedObjectNameException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
