package dev.weir.config.internal.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.config.ConfigurationException;
import dev.weir.config.internal.read.SettingsReader;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each row of the table of mistakes has a file, and the file is told what was meant. */
class MistakesTest {

  private static final String QUOTES = "\"20 per second, burst 40\"";

  /**
   * A file with a mistake.
   *
   * @param file has the mistake between » and «
   * @param meant a part of what a problem of the file says that was meant
   */
  private record Example(Mistakes mistakes, String file, String meant) {

    String text() {
      return file.replaceAll("[»«]", "");
    }

    Mistakes.Row row() {
      int from = file.indexOf('»');
      int to = file.indexOf('«') - 1;
      return mistakes.rows().stream()
          .filter(row -> row.meant(text(), from, to).isPresent())
          .findFirst()
          .orElseThrow(() -> new AssertionError("no row has " + this));
    }

    @Override
    public String toString() {
      return file;
    }
  }

  static Stream<Example> examples() {
    return Stream.of(
        new Example(Mistakes.NOT_YAML, "nodes:\n»\t«2", "spaces"),
        new Example(Mistakes.NOT_YAML, rule("match: *».«do"), "quotes around what begins with *"),
        new Example(Mistakes.NOT_YAML, "redis: { uri: $»{«REDIS} }", "\"${…}\" in quotes"),
        new Example(Mistakes.NOT_YAML, "a: [/users/»{«id}]", "\"/users/{id}\""),
        new Example(Mistakes.NOTHING, "limits: { a: »0 per second« }", "deny: [192.0.2.0/24] in a"),
        new Example(Mistakes.REST_OF_LIMIT, rule("limits: [5/s, »burst 9«]"), QUOTES),
        new Example(Mistakes.REST_OF_LIMIT, rule("limits: [2/s leaky, »capacity 9«]"), QUOTES),
        new Example(Mistakes.REST_OF_LIMIT, rule("limits: [4 concurrent, »ttl 9s«]"), QUOTES),
        new Example(Mistakes.REST_OF_LIMIT, rule("limits: 5/s, »Burst 9«"), QUOTES),
        new Example(Mistakes.REST_OF_LIMIT, rule("limits: [5, »burst 9«]"), QUOTES),
        new Example(Mistakes.REST_OF_LIMIT, rule("limits: 1/s sliding, »sub-windows 2«"), QUOTES),
        new Example(Mistakes.REST_OF_LIMIT, rule("limits: [1,»000 per day«]"), "1_000 per minute"),
        new Example(Mistakes.REST_OF_LIMIT, rule("limits: 1,»000/s«"), "1_000 per minute"),
        new Example(Mistakes.REST_OF_LIST, rule("deny: 10.0.0.5, »192.0.2.7«"), "[ ] around"),
        new Example(Mistakes.REST_OF_LIST, rule("deny: 10.0.0.5, »192.0.2.0/24«"), "[ ] around"),
        new Example(Mistakes.REST_OF_LIST, rule("deny: 10.0.0.5, »2001:db8::7«"), "[ ] around"),
        new Example(
            Mistakes.REST_OF_LIST,
            rule("when: Sat,»Sun 10:00-16:00 UTC«"),
            "\"Sat,Sun 10:00-16:00"),
        new Example(Mistakes.LIST, rule("subject: »'ip,path'«"), "[ip, path]"),
        new Example(Mistakes.LIST, rule("count: '»401, 403«'"), "[401, 403]"),
        new Example(Mistakes.NUMBER, "nodes: »1,000«", "1_000"),
        new Example(Mistakes.FLAG, rule("enabled: »Yes«"), "true"),
        new Example(Mistakes.FLAG, "reload: »enabled«", "'on'"),
        new Example(Mistakes.FLAG, rule("enabled: »0«"), "false"),
        new Example(Mistakes.FLAG, "limits: { a: { token-bucket: 1/s, leases: »no« } }", "'off'"),
        new Example(Mistakes.CHOICE, "responses: { fields: »draft-10« }", "draft-11"),
        new Example(Mistakes.SUBJECT, rule("subject: »header X-Key«"), "header:X-Key"),
        new Example(Mistakes.SUBJECT, rule("subject: »cookie=sid«"), "cookie:sid"),
        new Example(Mistakes.SUBJECT, rule("subject: »x-key«"), "header:x-key"),
        new Example(Mistakes.SUBJECT, rule("subject: »user«"), "principal"),
        new Example(Mistakes.SUBJECT, rule("subject: »username«"), "principal"),
        new Example(Mistakes.SUBJECT, rule("subject: '»path:{id}«'"), "path:id"),
        new Example(Mistakes.SUBJECT, rule("subject: »basic-auth«"), "basic-user"),
        new Example(Mistakes.STATUSES, rule("count: »5XX«"), "5xx"),
        new Example(Mistakes.STATUSES, rule("count: »400..499«"), "400-499"),
        new Example(Mistakes.STATUSES, rule("count: »400 - 499«"), "400-499"),
        new Example(Mistakes.STATUSES, rule("count: »not 422«"), "'!422'"),
        new Example(Mistakes.STATUSES, rule("count: »/login?error«"), "redirect:/login?error"),
        new Example(Mistakes.ON_DENIAL, rule("on-denial: »delay 5s«"), "delay up to 2s"),
        new Example(Mistakes.BAN, rule("ban: »9m after 3 in 1m«"), "9m after 3 denials in 1m"),
        new Example(Mistakes.BAN, rule("ban: »3 in 1m for 9m«"), "9m after 3 denials in 1m"),
        new Example(Mistakes.TIER, tier("none"), "unlimited"),
        new Example(Mistakes.TIER, tier("no"), "unlimited"),
        new Example(Mistakes.TIER, tier("off"), "unlimited"),
        new Example(Mistakes.TIER, tier("infinite"), "unlimited"),
        new Example(Mistakes.NETWORK, rule("deny: »localhost«"), "127.0.0.1 and ::1"));
  }

  private static String rule(String body) {
    String limits = body.contains("limits") ? "" : ", limits: 1/s";
    return "rules:\n  - { name: r, match: /**, " + body + limits + " }";
  }

  private static String tier(String limits) {
    return """
    client-address: { trusted-proxies: 10.0.0.1 }
    tiers: { t: { header: X, otherwise: pro } }
    rules: [{ name: r, match: /**, tier: t, limits: { pro: »%s« } }]
    """
        .formatted(limits);
  }

  @ParameterizedTest
  @MethodSource("examples")
  void a_file_is_told_what_was_meant(Example example) {
    ConfigurationException refused =
        catchThrowableOfType(
            ConfigurationException.class,
            () ->
                SettingsReader.read(
                    ConfigDocument.File.of("weir.yaml", example.text()),
                    new Variables(name -> Optional.empty(), name -> Optional.empty()),
                    getClass().getClassLoader()));
    assertThat(refused.problems())
        .anySatisfy(problem -> assertThat(problem.toString()).contains(example.meant()));
    assertThat(example.row()).isNotNull();
  }

  @Test
  void each_mistake_has_a_file() throws IllegalAccessException {
    List<Mistakes.Row> without = new ArrayList<>();
    for (Field field : Mistakes.class.getDeclaredFields()) {
      if (field.getType() == Mistakes.class) {
        without.addAll(((Mistakes) field.get(null)).rows());
      }
    }
    assertThat(without).isNotEmpty();
    without.removeAll(examples().map(Example::row).toList());
    assertThat(without).isEmpty();
  }
}
