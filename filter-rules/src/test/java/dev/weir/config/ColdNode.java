package dev.weir.config;

import dev.weir.http.FakeRequest;
import dev.weir.http.RequestCounts.Decisions;
import dev.weir.store.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * One of the processes of {@link ColdStartTest}: as soon as its Weir is open, it decides about a
 * hundred requests on ten threads. It prints how many of its primaries were connected at first, and
 * how many requests Redis has decided.
 */
final class ColdNode {

  private static final int THREADS = 10;
  private static final int REQUESTS = 100;

  private ColdNode() {}

  /** Arguments: the URI of Redis, then system properties, each as a name and a value. */
  @SuppressWarnings("SystemOut") // how a process speaks to the one that started it
  public static void main(String[] args) throws Exception {
    for (int i = 1; i < args.length; i += 2) {
      System.setProperty(args[i], args[i + 1]);
    }
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (Weir weir = Weir.open(source(args[0]))) {
      long connected =
          weir.status().redis().orElseThrow().primaries().stream()
              .filter(primary -> primary.window() > 0)
              .count();
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < REQUESTS; i++) {
        all.add(threads.submit(() -> weir.limiter().limit(FakeRequest.get("/any"))));
      }
      for (Future<?> one : all) {
        one.get();
      }
      long decided =
          weir.status().decisions().stream()
              .filter(each -> each.source().equals(Optional.of(Source.REDIS)))
              .mapToLong(Decisions::count)
              .sum();
      System.out.println(connected + " " + decided);
    } finally {
      threads.shutdown();
    }
  }

  private static WeirSource source(String redis) {
    String yaml =
        """
        application: cold
        redis:
          uri: %s
        rules:
          - name: all
            match: /**
            limits: 1_000_000 per hour
        """
            .formatted(redis);
    return Weirs.webInf(yaml, ColdNode.class.getClassLoader());
  }
}
