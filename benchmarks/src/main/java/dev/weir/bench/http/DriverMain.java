package dev.weir.bench.http;

import dev.weir.bench.http.Driver.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Scanner;

/** The driver as a process: a line of input is an order, a line of output is its result. */
public final class DriverMain {

  private DriverMain() {}

  @SuppressWarnings("SystemOut") // that is how it answers
  public static void main(String[] args) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println(text(driver(line).run()));
    }
  }

  static String text(Driver driver) {
    return "%d %s %d %d %d %d"
        .formatted(
            driver.port(),
            driver.path(),
            driver.keys(),
            driver.connections(),
            driver.millis(),
            driver.status());
  }

  static Driver driver(String text) {
    try (Scanner words = new Scanner(text).useLocale(Locale.ROOT)) {
      return new Driver(
          words.nextInt(),
          words.next(),
          words.nextInt(),
          words.nextInt(),
          words.nextLong(),
          words.nextInt());
    }
  }

  static String text(Outcome outcome) {
    return String.format(
        Locale.ROOT,
        "%d %d %f %f %f",
        outcome.requests(),
        outcome.failures(),
        outcome.seconds(),
        outcome.p50(),
        outcome.p99());
  }

  static Outcome outcome(String text) {
    try (Scanner words = new Scanner(text).useLocale(Locale.ROOT)) {
      return new Outcome(
          words.nextLong(),
          words.nextLong(),
          words.nextDouble(),
          words.nextDouble(),
          words.nextDouble());
    }
  }
}
