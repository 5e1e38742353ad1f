package dev.weir.config.internal.document;

import dev.weir.config.ConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Reads a configuration file as text: UTF-8, or UTF-16 with a byte order mark, of at most 1 MiB and
 * without control characters. Any other content is refused before it is parsed as YAML, since a
 * parser's error about a binary file does not help.
 */
public final class SourceText {

  static final int MOST_BYTES = 1 << 20;

  private final String file;
  private final byte[] bytes;

  private SourceText(String file, byte[] bytes) {
    this.file = file;
    this.bytes = bytes;
  }

  public static String read(String file, InputStream in) throws IOException {
    return new SourceText(file, in.readNBytes(MOST_BYTES + 1)).text();
  }

  private String text() {
    if (bytes.length > MOST_BYTES) {
      throw refused(Node.Place.NONE, "a file of more than 1 MiB", "at most 1 MiB of YAML");
    }
    String text = decoded();
    if (text.isBlank()) {
      throw refused(Node.Place.NONE, "an empty file", "a configuration with limits and rules");
    }
    refuseControlCharacters(text);
    return text;
  }

  private String decoded() {
    if (startsWith(0xEF, 0xBB, 0xBF)) {
      return decoded(StandardCharsets.UTF_8, 3);
    }
    if (startsWith(0xFE, 0xFF)) {
      return decoded(StandardCharsets.UTF_16BE, 2);
    }
    if (startsWith(0xFF, 0xFE)) {
      return decoded(StandardCharsets.UTF_16LE, 2);
    }
    return decoded(StandardCharsets.UTF_8, 0);
  }

  private boolean startsWith(int... mark) {
    for (int i = 0; i < mark.length; i++) {
      if (i >= bytes.length || (bytes[i] & 0xFF) != mark[i]) {
        return false;
      }
    }
    return true;
  }

  private String decoded(Charset charset, int from) {
    CharsetDecoder decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes, from, bytes.length - from);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(in, out, true);
    out.flip();
    if (result.isError()) {
      int wrong = bytes[in.position()] & 0xFF;
      throw refused(
          placeAfter(out), String.format("byte 0x%02X", wrong), "text encoded in " + charset);
    }
    return out.toString();
  }

  private void refuseControlCharacters(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isForbidden(text.charAt(i))) {
        throw refused(
            placeAfter(text.substring(0, i)),
            "character " + Redacted.codePoint(text.charAt(i)),
            "text without control characters");
      }
    }
  }

  /**
   * Returns whether YAML 1.2 (§5.1) does not allow the character, or it is a byte order mark within
   * the text.
   */
  private static boolean isForbidden(char character) {
    boolean isBlank = character == '\t' || character == '\n' || character == '\r';
    return (Character.isISOControl(character) && !isBlank && character != '\u0085')
        || character == '\uFEFF'
        || character == '\uFFFE'
        || character == '\uFFFF';
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

  private ConfigurationException refused(Node.Place place, String found, String expected) {
    return Reading.refused(file, place, "", found, expected);
  }
}
