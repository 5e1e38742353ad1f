package dev.weir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The project's documents, as tests that hold them to their word read them. */
public final class Documents {

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```([a-z]*)\\n(.*?)^```$");

  /**
   * A block of a document.
   *
   * @param language as the fence names it, empty if it names none
   * @param text without the fences
   */
  public record Block(String language, String text) {}

  private Documents() {}

  /** The checkout: the nearest folder above the module's own that has the documents. */
  public static Path root() {
    return Stream.iterate(Path.of("").toAbsolutePath(), Objects::nonNull, Path::getParent)
        .filter(folder -> Files.isDirectory(folder.resolve("docs")))
        .findFirst()
        .orElseThrow();
  }

  public static String text(String document) {
    try {
      return Files.readString(root().resolve(document));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What stands between fences in a document, without the fences. */
  public static List<String> blocks(String document) {
    return fenced(document).stream().map(Block::text).toList();
  }

  /** What stands between fences in a document. */
  public static List<Block> fenced(String document) {
    try (Stream<MatchResult> blocks = BLOCK.matcher(text(document)).results()) {
      return blocks.map(block -> new Block(block.group(1), block.group(2))).toList();
    }
  }

  /** What follows this beginning in the one block that begins so. */
  public static String block(String document, String beginning) {
    return blocks(document).stream()
        .filter(block -> block.startsWith(beginning))
        .findFirst()
        .orElseThrow()
        .substring(beginning.length());
  }
}
