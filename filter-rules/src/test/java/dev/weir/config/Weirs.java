package dev.weir.config;

import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.document.ConfigDocument.InitParams;
import dev.weir.config.internal.document.Variables;
import dev.weir.config.internal.read.Settings;
import dev.weir.config.internal.read.SettingsReader;
import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import dev.weir.http.spi.Outcome;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Opens configurations in an application of their own. */
public final class Weirs {

  private Weirs() {}

  /** The class loader of an application of its own. */
  public static ClassLoader application() {
    return new ClassLoader(Weirs.class.getClassLoader()) {};
  }

  /** Returns a source for an application that holds this as its /WEB-INF/weir.yaml. */
  public static WeirSource webInf(String yaml, ClassLoader application) {
    return new WeirSource(
        "limits",
        Map.of(),
        path ->
            path.equals("/WEB-INF/weir.yaml")
                ? new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))
                : null,
        application);
  }

  /** A source with init-params, given as names and values in turn. */
  public static WeirSource initParams(ClassLoader application, Map<String, String> params) {
    return new WeirSource("limits", params, WeirSource.Resources.NONE, application);
  }

  static Settings settings(String yaml) {
    return settings(yaml, FakeVariables.EMPTY);
  }

  static Settings settings(String yaml, Variables variables) {
    return SettingsReader.read(
        ConfigDocument.File.of("weir.yaml", yaml), variables, Weirs.class.getClassLoader());
  }

  public static Settings settings(Map<String, String> initParams) {
    return SettingsReader.read(
        new InitParams("limits", initParams), FakeVariables.EMPTY, Weirs.class.getClassLoader());
  }

  /** Binds this reference, and returns its rules. */
  static List<Rule> bound(Weir weir, RuleReference reference) {
    weir.bind(reference);
    return weir.rules(reference);
  }

  static boolean passes(Weir weir, RequestView request) {
    return weir.limiter().limit(request) instanceof Outcome.Passed;
  }

  /** How many of so many requests pass, each made anew. */
  public static int passing(Weir weir, int requests, Supplier<? extends RequestView> request) {
    int passed = 0;
    for (int i = 0; i < requests; i++) {
      passed += passes(weir, request.get()) ? 1 : 0;
    }
    return passed;
  }
}
