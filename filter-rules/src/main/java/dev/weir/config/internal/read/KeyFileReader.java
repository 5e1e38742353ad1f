package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Forms;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.ClientPolicy.KeyDigest;
import dev.weir.internal.store.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads files of hashed keys, with a digest at the beginning of each line. Empty lines, and text
 * after a {@code #}, are ignored. A wrong line is reported by its number and never shown, since it
 * may hold a key.
 */
public final class KeyFileReader {

  private static final String EXPECTED =
      "a file with the SHA-256 of a key in each line, as a path or classpath:NAME";

  /** The type of a key whose value is such a file. */
  static final ValueType.Form FILE =
      new ValueType.Form("a file, as a path or classpath:NAME", Forms.ANY);

  private static final String DIGEST = "the SHA-256 of a key as 64 hexadecimal digits";
  private static final String CLASS_PATH = "classpath:";
  private static final int MOST_BYTES = 64 << 20;

  private final Map<Path, Optional<String>> digests = new HashMap<>();

  /** A line that is not empty. */
  private record Line(int number, List<String> words) {}

  /**
   * Returns the files that were requested, with the {@linkplain #sha256 SHA-256} of each when it
   * was first read. It is empty for a file that does not exist.
   */
  public Map<Path, Optional<String>> files() {
    return Map.copyOf(digests);
  }

  Set<KeyDigest> digests(Value file) {
    return lines(file).stream()
        .flatMap(line -> digest(line, file, 1, DIGEST + ", and nothing else").stream())
        .collect(Collectors.toSet());
  }

  /** Reads the tier of each digest. It follows the digest in its line. */
  Map<KeyDigest, String> tiers(Value file) {
    Map<KeyDigest, String> tiers = new HashMap<>();
    for (Line line : lines(file)) {
      Optional<KeyDigest> digest = digest(line, file, 2, DIGEST + " and its tier");
      if (digest.isPresent() && tiers.putIfAbsent(digest.get(), line.words().get(1)) != null) {
        file.problem(found(line, file), "each key once");
      }
    }
    return tiers;
  }

  private static Optional<KeyDigest> digest(Line line, Value file, int words, String expected) {
    try {
      if (line.words().size() == words) {
        return Optional.of(new KeyDigest(line.words().get(0)));
      }
    } catch (IllegalArgumentException notADigest) {
      // reported below, like a wrong number of words
    }
    file.problem(found(line, file), expected);
    return Optional.empty();
  }

  private static String found(Line line, Value file) {
    return "line " + line.number() + " of " + file.found();
  }

  private List<Line> lines(Value file) {
    Optional<String> place = file.text(EXPECTED);
    if (place.isEmpty()) {
      return List.of();
    }
    try {
      Optional<byte[]> bytes = bytes(place.get(), file.reading().classLoader());
      if (bytes.isPresent()) {
        return lines(bytes.get());
      }
      if (!file.isAssumedFile()) {
        file.refuse("a file that exists");
      }
    } catch (InvalidPathException notAPath) {
      file.refuse(EXPECTED);
    } catch (IOException unreadable) {
      file.refuse("a file that can be read, of 64 MiB at most");
    }
    return List.of();
  }

  private static List<Line> lines(byte[] bytes) throws IOException {
    if (bytes.length > MOST_BYTES) {
      throw new IOException("too large");
    }
    List<Line> lines = new ArrayList<>();
    int number = 0;
    for (String text : new String(bytes, StandardCharsets.UTF_8).split("\\R", -1)) {
      number++;
      String line = text.replaceFirst("#.*", "").strip();
      if (!line.isEmpty()) {
        lines.add(new Line(number, List.of(line.split("\\s+"))));
      }
    }
    return lines;
  }

  private Optional<byte[]> bytes(String place, ClassLoader classLoader) throws IOException {
    if (place.startsWith(CLASS_PATH)) {
      String name = place.substring(CLASS_PATH.length());
      try (InputStream in = classLoader.getResourceAsStream(name)) {
        return in == null ? Optional.empty() : Optional.of(in.readNBytes(MOST_BYTES + 1));
      }
    }
    Path path = Path.of(place);
    Optional<byte[]> bytes = Optional.empty();
    try {
      bytes = Files.isRegularFile(path) ? Optional.of(bytes(path)) : bytes;
    } finally {
      digests.putIfAbsent(path, bytes.map(Sha256.PLAIN::hex));
    }
    return bytes;
  }

  /** Returns the content, and one byte more than the maximum if it is too large. */
  private static byte[] bytes(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return in.readNBytes(MOST_BYTES + 1);
    }
  }

  /**
   * Returns the SHA-256 of a file's content. Only the content is compared, so writing the same
   * content again is no change.
   *
   * @throws IOException when it cannot be read
   */
  public static String sha256(Path path) throws IOException {
    return Sha256.PLAIN.hex(bytes(path));
  }
}
