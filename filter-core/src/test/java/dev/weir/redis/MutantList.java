package dev.weir.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A reader of defects from a list, one a line, under headings that name their file. */
final class MutantList {

  private static final String HEADING = "# ";
  private static final String BECOMES = " =>";

  private MutantList() {}

  static List<Mutant> read(String resource) {
    try (InputStream text =
        Objects.requireNonNull(MutantList.class.getResourceAsStream(resource), resource)) {
      return parse(new String(text.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Mutant> parse(String text) {
    List<Mutant> all = new ArrayList<>();
    String[] heading = {};
    for (String line : text.lines().toList()) {
      int at = line.indexOf(BECOMES);
      if (line.startsWith(HEADING)) {
        heading = line.substring(HEADING.length()).split(" by ", 2);
      } else if (at > 0) {
        String planted = line.substring(Math.min(line.length(), at + BECOMES.length() + 1));
        all.add(new Mutant(heading[0], code(line.substring(0, at)), code(planted), heading[1]));
      }
    }
    return all;
  }

  private static String code(String written) {
    return written.replace("\\n", "\n");
  }
}
