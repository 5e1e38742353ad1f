package dev.weir.config;

import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.document.Node;
import dev.weir.config.internal.document.Reading;
import dev.weir.config.internal.document.Variables;
import dev.weir.internal.Redaction;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the configuration. It first reads the init-params: {@code config}, or else a rule made of
 * them. Then it reads the system property {@code weir.config} and the environment's {@code
 * WEIR_CONFIG}. Last, it tries {@code /WEB-INF/weir.yaml}, then {@code weir.yaml} on the class
 * path.
 *
 * <p>A place that is named explicitly must hold a configuration. Skipping it would leave an
 * application without the limits that its owner expects. The last two places may be empty.
 */
record ConfigSearch(WeirSource source, Variables variables) {

  static final String EVERYWHERE =
      "an init-param 'limit' or 'config', the system property weir.config, WEIR_CONFIG in the"
          + " environment, /WEB-INF/weir.yaml, or weir.yaml on the class path";

  private static final String CONFIG = "config";
  private static final String WEB_INF = "/WEB-INF/weir.yaml";
  private static final String CLASS_PATH = "classpath:";

  /** Returns the configuration, or empty if no place is named and the default places have none. */
  Optional<ConfigDocument> find() {
    if (source.initParams().containsKey(CONFIG)) {
      return Optional.of(configParam());
    }
    if (!source.initParams().isEmpty()) {
      return Optional.of(new ConfigDocument.InitParams(source.owner(), source.initParams()));
    }
    return named("system property 'weir.config'", variables.property().apply("weir.config"))
        .or(() -> named("environment 'WEIR_CONFIG'", variables.variable().apply("WEIR_CONFIG")))
        .or(() -> optional(WEB_INF))
        .or(() -> optional(CLASS_PATH + "weir.yaml"));
  }

  ConfigDocument require() {
    return find().orElseThrow(this::missing);
  }

  ConfigurationException missing() {
    return refused("configuration", "nothing", EVERYWHERE);
  }

  private ConfigDocument configParam() {
    Reading reading = Reading.ofFile(filterName(), variables, source.classLoader());
    for (String param : source.initParams().keySet().stream().sorted().toList()) {
      if (!param.equals(CONFIG)) {
        reading.problem(
            Node.Place.NONE,
            "init-param " + Redaction.quoted(param),
            "a setting together with 'config'",
            "no other setting with 'config', or no 'config'");
      }
    }
    reading.throwIfAny();
    return at("init-param 'config'", String.valueOf(source.initParams().get(CONFIG)));
  }

  private Optional<ConfigDocument> named(String field, Optional<String> location) {
    return location.map(place -> at(field, place));
  }

  private ConfigDocument at(String field, String location) {
    String place = location.strip();
    if (place.isEmpty()) {
      throw refused(field, "nothing", "the place of a configuration file");
    }
    try {
      Optional<ConfigDocument> resource = resource(place);
      return (resource.isPresent() ? resource : onDisk(place))
          .orElseThrow(() -> refused(field, Redaction.quoted(place), "a file that exists"));
    } catch (InvalidPathException notAPath) {
      throw refused(field, Redaction.quoted(place), "the place of a configuration file");
    } catch (IOException unreadable) {
      throw refused(field, Redaction.quoted(place), "a file that can be read");
    }
  }

  private Optional<ConfigDocument> optional(String place) {
    try {
      return resource(place);
    } catch (IOException unreadable) {
      throw refused("configuration", Redaction.quoted(place), "a file that can be read");
    }
  }

  /** Reads a class path resource or a web application resource. Neither is ever read again. */
  private Optional<ConfigDocument> resource(String place) throws IOException {
    try (InputStream resource = opened(place)) {
      return resource == null
          ? Optional.empty()
          : Optional.of(ConfigDocument.File.read(place, resource));
    }
  }

  private @Nullable InputStream opened(String place) throws IOException {
    if (place.startsWith(CLASS_PATH)) {
      return source.classLoader().getResourceAsStream(place.substring(CLASS_PATH.length()));
    }
    return place.startsWith("/") ? source.resources().open(place) : null;
  }

  /** Reads a file, which is used only if there is no resource of that name. */
  private static Optional<ConfigDocument> onDisk(String place) throws IOException {
    if (place.startsWith(CLASS_PATH) || place.equals(WEB_INF)) {
      return Optional.empty();
    }
    Path path = Path.of(place.startsWith("file:") ? place.substring("file:".length()) : place);
    return ConfigDocument.File.onDisk(place, path).map(file -> file);
  }

  private String filterName() {
    return "filter " + Redaction.quoted(source.owner());
  }

  private ConfigurationException refused(String field, String found, String expected) {
    String file = field.startsWith("init-param") ? filterName() : source.owner();
    return Reading.refused(file, Node.Place.NONE, field, found, expected);
  }
}
