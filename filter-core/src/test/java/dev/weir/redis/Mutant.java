package dev.weir.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * A defect that is planted in a source file of ours.
 *
 * @param file below the sources' root, without its suffix
 * @param original occurs in it exactly once
 * @param foundBy the traces that find it
 */
record Mutant(String file, String original, String planted, String foundBy) {

  private static final Path SOURCES = Path.of("src/main/java/dev/weir");

  /**
   * Returns the class with the defect in it, and all others of ours.
   *
   * @throws AssertionError where the text to change is not found once, or does not compile
   */
  MutantClasses load() throws IOException {
    return load(text());
  }

  /**
   * Returns the text of the file with the defect in it.
   *
   * @throws AssertionError where the text to change is not found once
   */
  String text() throws IOException {
    String text = Files.readString(SOURCES.resolve(file + ".java"));
    int found = text.split(Pattern.quote(original), -1).length - 1;
    if (found != 1) {
      throw new AssertionError(this + ": occurs " + found + " times (expected: once)");
    }
    return text.replace(original, planted);
  }

  /** Returns the same without the defect. */
  MutantClasses loadOriginal() throws IOException {
    return load(Files.readString(SOURCES.resolve(file + ".java")));
  }

  private MutantClasses load(String text) {
    return MutantClasses.of("dev.weir." + file.replace('/', '.'), text);
  }

  @Override
  public String toString() {
    return "%s.java: %s -> %s".formatted(file, original, planted);
  }
}
