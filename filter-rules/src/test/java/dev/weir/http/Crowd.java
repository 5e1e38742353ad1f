package dev.weir.http;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many clients that send the same request at once. */
public final class Crowd {

  private static final int CLIENTS = 50;

  private Crowd() {}

  /** The statuses of so many answers. */
  public static List<Integer> get(RawHttp http, String path, int requests) throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < requests; i++) {
        answers.add(clients.submit(() -> http.get(path)));
      }
      List<Integer> statuses = new ArrayList<>();
      for (Future<Answer> answer : answers) {
        statuses.add(answer.get().status());
      }
      return statuses;
    } finally {
      clients.shutdownNow();
    }
  }
}
