package dev.weir.redis;

import dev.weir.internal.InvalidValueException;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A user name or a password in a file of one line. The line end is no part of it. Two are equal if
 * their files are: what a file contains may change.
 */
record CredentialFile(SmallFile file) implements Supplier<String> {

  private static final Pattern LINE_END = Pattern.compile("\\r?\\n\\z");
  private static final Pattern UNPRINTABLE = Pattern.compile("\\p{C}");

  static CredentialFile of(Path path) {
    return new CredentialFile(new SmallFile("redis credentials", path));
  }

  /**
   * Reads the file.
   *
   * @throws InvalidValueException when it has no such line
   */
  @Override
  public String get() {
    String line = LINE_END.matcher(file.read()).replaceFirst("");
    if (line.isBlank()) {
      throw file.failure("a file that is not empty");
    }
    if (UNPRINTABLE.matcher(line).find()) {
      throw file.failure("a file of one line, without control characters and byte order mark");
    }
    return line;
  }
}
