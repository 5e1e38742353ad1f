package dev.weir.config.internal.document;

import dev.weir.config.ConfigurationException;
import dev.weir.config.Weir;
import dev.weir.internal.Redaction;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * A configuration as it was found, before it is validated. Equal documents configure the same, so
 * adapters that open equal documents share one {@link Weir}.
 */
public sealed interface ConfigDocument {

  /** Returns the name in messages and in the log. */
  String name();

  /**
   * A file. Its identity is its path if it is in the file system, since its content may change. Any
   * other file is identified by its text alone, because it may be found by several names.
   *
   * @param disk where it can be read again
   * @param text its content
   */
  record File(String name, Optional<Path> disk, String text) implements ConfigDocument {

    static final int MOST_BYTES = 1 << 20;

    /** Returns a file that cannot be read again. */
    public static File of(String name, String text) {
      return new File(name, Optional.empty(), text);
    }

    /**
     * Reads a file that cannot be read again: UTF-8, or UTF-16 with a byte order mark, of at most 1
     * MiB and without control characters. Any other content is refused before it is parsed as YAML,
     * since a parser's error about a binary file does not help.
     *
     * @throws ConfigurationException when it is not text
     */
    public static File read(String name, InputStream in) throws IOException {
      File file = File.of(name, "");
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw file.refused("a file of more than 1 MiB", "at most 1 MiB of YAML");
      }
      String text = file.decoded(bytes);
      if (text.isBlank()) {
        throw file.refused("an empty file", "a configuration with limits and rules");
      }
      file.refuseControlCharacters(text);
      return file.withText(text);
    }

    /**
     * Reads a file of the file system. Empty if it does not exist.
     *
     * @throws IOException when it cannot be read
     * @throws ConfigurationException when it is not text
     */
    public static Optional<File> onDisk(String name, Path path) throws IOException {
      if (!Files.exists(path)) {
        return Optional.empty();
      }
      if (!Files.isRegularFile(path)) {
        throw new IOException("a directory or a device, which may never end");
      }
      try (InputStream in = Files.newInputStream(path)) {
        Path identity = path.toAbsolutePath().normalize();
        return Optional.of(new File(name, Optional.of(identity), read(name, in).text()));
      }
    }

    /**
     * Reads a file of the file system again.
     *
     * @throws ConfigurationException when it is missing, cannot be read, or is not text
     */
    public File again() {
      try {
        return onDisk(name, disk.orElseThrow())
            .orElseThrow(() -> refused("no file", "a file that exists"));
      } catch (IOException unreadable) {
        throw refused("a file that cannot be read", "a file that can be read");
      }
    }

    public File withText(String newText) {
      return new File(name, disk, newText);
    }

    private String decoded(byte[] bytes) {
      String start = HexFormat.of().formatHex(bytes, 0, Math.min(3, bytes.length));
      if (start.startsWith("feff")) {
        return decoded(bytes, StandardCharsets.UTF_16BE, 2);
      }
      return start.startsWith("fffe")
          ? decoded(bytes, StandardCharsets.UTF_16LE, 2)
          : decoded(bytes, StandardCharsets.UTF_8, start.equals("efbbbf") ? 3 : 0);
    }

    private String decoded(byte[] bytes, Charset charset, int from) {
      ByteBuffer in = ByteBuffer.wrap(bytes, from, bytes.length - from);
      CharBuffer out = CharBuffer.allocate(bytes.length);
      boolean isMalformed = charset.newDecoder().decode(in, out, true).isError();
      out.flip();
      if (isMalformed) {
        throw refused(
            placeAfter(out),
            String.format("byte 0x%02X", bytes[in.position()]),
            "text encoded in " + charset);
      }
      return out.toString();
    }

    /** Refuses what YAML 1.2 (§5.1) does not allow, and a byte order mark within the text. */
    private void refuseControlCharacters(String text) {
      for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
        int point = text.codePointAt(i);
        if (!StreamReader.isPrintable(point) || point == '\uFEFF') {
          throw refused(
              placeAfter(text.substring(0, i)),
              String.format("character U+%04X", point),
              "text without control characters");
        }
      }
    }

    private static Node.Place placeAfter(CharSequence read) {
      int line = 1;
      int column = 1;
      for (int i = 0; i < read.length(); i++) {
        boolean isNewLine = read.charAt(i) == '\n';
        line += isNewLine ? 1 : 0;
        column = isNewLine ? 1 : column + 1;
      }
      return new Node.Place(line, column);
    }

    private ConfigurationException refused(String found, String expected) {
      return refused(Node.Place.NONE, found, expected);
    }

    private ConfigurationException refused(Node.Place place, String found, String expected) {
      return Reading.refused(name, place, "", found, expected);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof File that && identity().equals(that.identity());
    }

    @Override
    public int hashCode() {
      return identity().hashCode();
    }

    private Object identity() {
      return disk.isPresent() ? disk.get() : text;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** The init-params of one filter, whose name is also the default name of the rule. */
  record InitParams(String owner, Map<String, String> params) implements ConfigDocument {

    public InitParams {
      params = Map.copyOf(params);
    }

    @Override
    public String name() {
      return "filter " + Redaction.quoted(owner);
    }

    public Optional<String> value(String param) {
      return Optional.ofNullable(params.get(param));
    }

    /** Returns the name without the values, since a param may be a secret. */
    @Override
    public String toString() {
      return name();
    }
  }
}
