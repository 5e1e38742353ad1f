package com.example;

import dev.weir.config.Configuration;
import dev.weir.config.ReadOptions;
import dev.weir.config.Weir;
import java.nio.file.Path;
import java.util.List;

/** What a start would warn of. For a test of the application's build. */
public final class ConfigurationCheck {

  private ConfigurationCheck() {}

  /** Throws a ConfigurationException with all problems of the file. */
  public static List<String> warnings(Path file) {
    Configuration read = Weir.read(file, ReadOptions.STRICT.withAssumedEnvironment());
    return read.warnings();
  }
}
