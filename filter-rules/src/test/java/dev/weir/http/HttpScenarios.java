package dev.weir.http;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * What every adapter must do in every container, over real sockets: one table, so that none of them
 * is tested less than another.
 *
 * <p>A container under test deploys {@link #configuration} before the first request, and an
 * application that answers every path as {@link CountScenarios} and {@link DenialScenarios} say.
 * For the rows about dispatches, those of {@link EndScenarios} included, that application does what
 * {@link DispatchScenarios} and {@link CountScenarios} say. Counters start afresh.
 */
public final class HttpScenarios {

  /** The only peer that is trusted to send {@code X-Forwarded-For}. */
  static final String TRUSTED_PROXY = "127.0.0.9";

  private static final List<HttpScenario> ALL =
      Stream.of(
              AnswerScenarios.all(),
              ChargeScenarios.all(),
              CountScenarios.all(),
              DenialScenarios.all(),
              HostScenarios.all(),
              ListScenarios.all(),
              HostilePathScenarios.all(),
              HostileFieldScenarios.all(),
              DispatchScenarios.all(),
              EndScenarios.all())
          .flatMap(List::stream)
          .toList();

  private final Map<String, String> exclusions = new LinkedHashMap<>();

  private HttpScenarios() {}

  /** The whole table. */
  public static HttpScenarios all() {
    return new HttpScenarios();
  }

  /** Leaves out the rows with names that begin so. */
  public HttpScenarios except(String name, String reason) {
    if (ALL.stream().noneMatch(scenario -> scenario.name().startsWith(name))) {
      throw new IllegalArgumentException("no such scenario: " + name);
    }
    exclusions.put(name, reason);
    return this;
  }

  /** The rows as tests of the application at this address. */
  public Stream<DynamicTest> at(URI base) {
    RawHttp http = new RawHttp(base);
    return included()
        .map(scenario -> dynamicTest(scenario.name(), () -> scenario.check().accept(http)));
  }

  /** Writes the {@link #configuration} to a file in this directory. */
  public Path writeConfiguration(Path directory) throws IOException {
    return Files.writeString(directory.resolve("scenarios.yaml"), configuration());
  }

  /** The configuration that the scenarios are about. */
  public String configuration() {
    List<String> lines = new ArrayList<>();
    lines.add("application: scenarios");
    lines.add("client-address: { trusted-proxies: [" + TRUSTED_PROXY + "/32] }");
    lines.add("tiers:");
    lines.add("  proxied: { header: X-Tier, otherwise: free }");
    lines.add("limits:");
    lines.add("  flood: 1_000_000 per second");
    lines.add("rules:");
    lines.add("  - { name: flood, match: /**, except: [/free/**], subject: ip, limits: [flood] }");
    included().flatMap(scenario -> scenario.rules().stream()).forEach(r -> lines.add("  - " + r));
    return lines.stream().collect(Collectors.joining("\n", "", "\n"));
  }

  private Stream<HttpScenario> included() {
    return ALL.stream()
        .filter(scenario -> exclusions.keySet().stream().noneMatch(scenario.name()::startsWith));
  }
}
