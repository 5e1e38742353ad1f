package dev.weir.config.internal.key;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.document.Variables;
import dev.weir.config.internal.read.SettingsReader;
import dev.weir.fixture.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The page of keys and the JSON Schema are made of the keys in code. The schema accepts the files
 * of the documents, and refuses broken ones.
 */
class MadeOfKeysTest {

  private static final String PAGE = "docs/configuration.md";
  private static final String SCHEMA =
      "filter-rules/src/main/resources/dev/weir/config/weir.schema.json";

  private final Schema schema =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(KeySchema.of(SettingsReader.KEYS), InputFormat.JSON);

  @Test
  void the_page_of_keys_is_up_to_date() throws IOException {
    String page = KeyPage.of(SettingsReader.KEYS);
    assertThat(page).as("a key without a meaning").doesNotContain("|  |");
    assertUpToDate(PAGE, page);
  }

  @Test
  void the_schema_is_up_to_date() throws IOException {
    assertUpToDate(SCHEMA, KeySchema.of(SettingsReader.KEYS));
  }

  /** Writes the file where the tests run with {@code -Dweir.write=true}. */
  private static void assertUpToDate(String file, String made) throws IOException {
    Path path = Documents.root().resolve(file);
    if (Boolean.getBoolean("weir.write")) {
      Files.createDirectories(path.getParent());
      Files.writeString(path, made);
    }
    assertThat(path).as("mvn test -Dweir.write=true writes it").hasContent(made);
  }

  static Stream<String> files() {
    return Stream.concat(
        Documents.pages().stream()
            .flatMap(page -> Documents.fenced(page).stream())
            .filter(block -> block.language().equals("yaml") && block.isComplete())
            .map(Documents.Block::text),
        Stream.of(Documents.text("examples/all-of-it/weir.yaml")));
  }

  @ParameterizedTest
  @MethodSource("files")
  void the_schema_accepts_the_files_of_the_documents(String file) {
    assertThat(problems(file)).isEmpty();
  }

  /** However unusual a valid value looks. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "application: 'shop/eu: 1'\nredis: REDIS://cache",
        "redis:",
        "redis: ''",
        "application: a\nredis: { uri: null }",
        "application: a\nredis: { uri: redis://c, secret: 1234567890123456, deadline: 2000 US }",
        "on-outage: ' deny '",
        "limits: { x: 5 per10s }",
        "limits: { x: 5per minute }",
        "limits: { x: '100/s, burst200' }",
        "limits: { x: '2/s leaky, capacity20' }",
        "limits: { x: '30/s sliding, sub - windows 5' }",
        "limits: { x: 4concurrent }",
        "limits: { x: '4 concurrent, ttl10s' }",
        "limits: { x: 1000 per day window+02:00 }",
        "limits: { x: 1 PER Day Window UTC }",
        "limits: { x: +5 per minute }",
        "limits: { x: 0_100 per second }",
        "limits: { x: 1000 per 01 day window UTC }",
        "limits: { x: { fixed-window: 10 per month, align: UTC } }",
        "limits: { x: { token-bucket: 1 MB per s, burst: 2 MB } }",
        "limits: { x: { sliding-window: 5/s, sub-windows: '+5' } }",
        "limits: { x: { leases: off, align: UTC, fixed-window: 5/s } }",
        "nodes: '+3'",
        "rules: [{ name: api/v1, match: /**, limits: 5/s }]",
        "limits: { api/read: 5/s }\nrules: [{ name: r, match: /**, limits: [api/read] }]",
        "rules: [{ name: true, match: VERSION-CONTROL /x, limits: 5/s }]",
        "rules: [{ name: r, match: ['*.do', POST *.do, /my%20docs, /a/**/b], limits: 5/s }]",
        "rules: [{ name: r, match: /**, subject: 'query:user id', limits: 5/s }]",
        "rules: [{ name: r, match: /**, count: [401, 5xx], limits: 5/s }]",
        "rules: [{ name: r, match: /**, cost: '+5', limits: 5/s }]",
        "rules: [{ name: r, match: /**, cost: { to: 4, query: n }, limits: 5/s }]",
        "rules: [{ name: r, match: /**, cost: { response: bytes, reserve: '+5' }, limits: 5/s }]",
        "rules: [{ name: r, match: '//shop.example/**', limits: 5/s }]",
        "client-address: { trusted-proxies: { networks: unix, header: X-Real-IP }, nat64: 2001:db8::/32 }",
        "client-address: { trusted-proxies: [10.0.0.1, { networks: [10.0.0.2], header: X }], trusted-hops: 2 }",
        "responses: { denied: ' error-page ' }",
        "responses: { denied: { status: '503', headers: { X-A: 1, X-B: true } } }",
        "responses: { denied: { json: { a: [1, { b: null }, []], c: '{limit}', d: {} } } }",
        "responses: { denied: { json: problem, forward: /WEB-INF/too-many.jsp?a=b } }",
        "rules: [{ name: r, match: /**, limits: 5/s, denied: { status: 429, json: {} } }]",
        "responses: { legacy-headers: true, legacy-reset: ' epoch ' }",
        "tiers: { t: { roles: { staff: true }, otherwise: false } }"
      })
  void the_schema_accepts_what_the_readers_do(String file) {
    ConfigDocument document = ConfigDocument.File.of("weir.yaml", file);
    ClassLoader application = getClass().getClassLoader();
    assertThat(SettingsReader.read(document, Variables.SYSTEM, application)).isNotNull();
    assertThat(problems(file)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("dev.weir.config.BrokenFiles#schematic")
  void the_schema_refuses_broken_files(String file) {
    assertThat(problems(file)).as(file).isNotEmpty();
  }

  /** Reads the file as YAML 1.2, where {@code on} is a word. */
  private List<String> problems(String file) {
    Object read;
    try {
      read = new Load(LoadSettings.builder().build()).loadFromString(file);
    } catch (YamlEngineException notYaml) {
      return List.of(notYaml.toString());
    }
    return schema.validate(new ObjectMapper().valueToTree(read)).stream()
        .map(Object::toString)
        .toList();
  }
}
