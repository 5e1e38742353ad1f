package dev.weir.config;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The version of this library. The build writes it next to this class, since the manifest of a jar
 * of everything is another's.
 */
final class Version {

  /** Such as {@code 1.2.3}, or {@code unknown} if a repackaging has lost it. */
  static final String TEXT = read();

  private Version() {}

  private static String read() {
    Properties properties = new Properties();
    try (@Nullable InputStream in = Version.class.getResourceAsStream("version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException unreadable) {
      // the version is unknown: nothing depends on it
    }
    return properties.getProperty("version", "unknown");
  }
}
