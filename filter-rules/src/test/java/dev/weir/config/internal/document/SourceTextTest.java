package dev.weir.config.internal.document;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Complaints;
import dev.weir.config.ConfigurationException.Problem;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SourceTextTest {

  private static final String YAML = "limits:\n  grüße: 1 per day\n";

  @Test
  void text_is_utf_8() throws IOException {
    assertThat(read(YAML.getBytes(UTF_8))).isEqualTo(YAML);
  }

  @Test
  void a_byte_order_mark_is_not_part_of_the_text() throws IOException {
    assertThat(read(marked(YAML.getBytes(UTF_8), 0xEF, 0xBB, 0xBF))).isEqualTo(YAML);
  }

  @Test
  void utf_16_is_known_by_its_mark() throws IOException {
    assertThat(read(marked(YAML.getBytes(UTF_16LE), 0xFF, 0xFE))).isEqualTo(YAML);
    assertThat(read(marked(YAML.getBytes(UTF_16BE), 0xFE, 0xFF))).isEqualTo(YAML);
  }

  @Test
  void utf_16_without_a_mark_shows_its_zeros() {
    assertThat(refused("limits: {}".getBytes(UTF_16LE)))
        .isEqualTo(problem(1, 2, "character U+0000", "text without control characters"));
  }

  @Test
  void latin_1_is_refused_at_its_first_wrong_byte() {
    byte[] latin = "a: 1\nb: x".getBytes(UTF_8);
    latin[8] = (byte) 0xFC;
    assertThat(refused(latin)).isEqualTo(problem(2, 4, "byte 0xFC", "text encoded in UTF-8"));
  }

  @Test
  void a_picture_is_refused() {
    byte[] picture = new byte[4096];
    new Random(1).nextBytes(picture);
    picture[0] = (byte) 0x89;
    assertThat(refused(picture)).isEqualTo(problem(1, 1, "byte 0x89", "text encoded in UTF-8"));
  }

  @Test
  void a_control_character_is_refused_where_it_stands() {
    assertThat(refused("a: 1\nb: \u001b[31m".getBytes(UTF_8)))
        .isEqualTo(problem(2, 4, "character U+001B", "text without control characters"));
  }

  @Test
  void an_empty_file_is_refused() {
    for (String empty : new String[] {"", " \n\t\r\n", "\n"}) {
      assertThat(refused(empty.getBytes(UTF_8)))
          .isEqualTo(problem(0, 0, "an empty file", "a configuration with limits and rules"));
    }
  }

  @Test
  void a_file_of_a_gibibyte_is_refused_without_reading_it() {
    EndlessStream gibibyte = new EndlessStream();
    assertThat(Complaints.only(() -> ConfigDocument.File.read("weir.yaml", gibibyte)))
        .isEqualTo(problem(0, 0, "a file of more than 1 MiB", "at most 1 MiB of YAML"));
    assertThat(gibibyte.read).isLessThan(2 * ConfigDocument.File.MOST_BYTES);
  }

  @Test
  void a_file_of_a_mebibyte_is_read() throws IOException {
    assertThat(read(" a".repeat(ConfigDocument.File.MOST_BYTES / 2).getBytes(UTF_8)))
        .hasSize(ConfigDocument.File.MOST_BYTES);
  }

  private static String read(byte[] bytes) throws IOException {
    return ConfigDocument.File.read("weir.yaml", new ByteArrayInputStream(bytes)).text();
  }

  private static Problem refused(byte[] bytes) {
    return Complaints.only(() -> read(bytes));
  }

  private static Problem problem(int line, int column, String found, String expected) {
    return new Problem("weir.yaml", line, column, "", found, expected, java.util.Optional.empty());
  }

  private static byte[] marked(byte[] text, int... mark) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int one : mark) {
      out.write(one);
    }
    out.writeBytes(text);
    return out.toByteArray();
  }

  private static final class EndlessStream extends InputStream {

    private long read;

    @Override
    public int read() {
      read++;
      return ' ';
    }

    @Override
    public int read(byte[] into, int from, int length) {
      Arrays.fill(into, from, from + length, (byte) ' ');
      read += length;
      return length;
    }
  }
}
