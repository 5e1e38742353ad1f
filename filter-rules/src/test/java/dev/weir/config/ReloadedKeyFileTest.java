package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import dev.weir.http.FakeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file of keys that changes is reloaded as the configuration is that names it. */
class ReloadedKeyFileTest extends LiveConfiguration {

  /** Of the key partner. */
  private static final String PARTNER =
      "7f3fa48ca885678134842fa7456f3ece53a97f843b610185d900ac4e467c7490";

  private Path keys = Path.of("");
  private String yaml = "";

  @BeforeEach
  void nameTheFile() throws IOException {
    keys = Files.writeString(directory.resolve("partners"), "# none yet\n");
    yaml =
        "rules: [{ name: all, match: /**, limits: [3 per hour], allow: { key: header:X-API-Key, file: '%s' } }]%n"
            .formatted(keys);
    file.change(yaml);
  }

  @Test
  void a_key_that_is_added_is_known_and_one_that_is_removed_is_not() throws IOException {
    assertThat(passingPartners()).isEqualTo(3);
    write(PARTNER);
    assertThat(passingPartners()).as("not limited").isEqualTo(10);
    write("# none any more");
    assertThat(passingPartners()).as("what was used is used").isZero();
  }

  @Test
  void so_is_one_that_another_of_its_length_and_time_has_been_renamed_over() throws IOException {
    write(PARTNER.replace('7', '8'));
    FileTime time = Files.getLastModifiedTime(keys);
    Path next = Files.writeString(directory.resolve("next"), PARTNER);
    Files.setLastModifiedTime(next, time);
    Files.move(next, keys, StandardCopyOption.ATOMIC_MOVE);
    file.poller.settle();
    assertThat(passingPartners()).isEqualTo(10);
  }

  @Test
  void so_is_one_that_is_written_twice_within_one_tick_of_the_file_systems_clock()
      throws IOException {
    FileTime time = FileTime.from(Instant.now().plusSeconds(60)); // just now, however slow this is
    write(PARTNER.replace('7', '8'), time);
    write(PARTNER, time);
    assertThat(passingPartners()).isEqualTo(10);
  }

  @Test
  void one_that_is_written_again_as_it_was_is_no_change() throws IOException {
    write(PARTNER);
    WeirStatus.Loaded loaded = weir.status().loaded();
    write(PARTNER, FileTime.from(Instant.now().minusSeconds(3_600)));
    assertThat(weir.status().loaded()).isEqualTo(loaded);
  }

  @Test
  void one_that_has_long_been_at_rest_is_not_read_at_each_look() throws IOException {
    FileTime longAgo = FileTime.from(Instant.now().minusSeconds(3_600));
    write(PARTNER.replace('7', '8'), longAgo);
    write(PARTNER, longAgo);
    assertThat(passingPartners()).as("it cannot be seen from outside").isEqualTo(3);
  }

  @Test
  void what_is_broken_changes_nothing_until_it_is_mended() throws IOException {
    write(PARTNER);
    write("no digest");
    assertThat(passingPartners()).isEqualTo(10);
    assertThat(problem(weir)).contains("line 1 of").contains("64 hexadecimal digits");
    write(PARTNER);
    assertThat(problem(weir)).isEmpty();
  }

  @Test
  void a_configuration_that_was_refused_for_a_missing_file_is_taken_up_when_it_comes()
      throws IOException {
    Path late = directory.resolve("late");
    file.change(yaml.replace("partners", "late"));
    assertThat(problem(weir)).contains("a file that exists");
    Files.writeString(late, PARTNER);
    file.poller.settle();
    assertThat(problem(weir)).isEmpty();
    assertThat(passingPartners()).isEqualTo(10);
  }

  @Test
  void a_change_that_meets_a_rotation_is_taken_up_once_the_files_of_redis_are_valid()
      throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "one");
    String redis =
        "application: a\nredis: { uri: 'redis://localhost:1', password-file: '%s' }\n"
            .formatted(token);
    weir.close();
    file = new LiveFile(directory, redis + THREE);
    weir = file.open();
    Files.delete(token);
    try (LogCapture log = new LogCapture("dev.weir.config")) {
      file.change(redis + FIVE);
      assertThat(problem(weir)).contains("redis.password-file").contains("a file that exists");
      file.poller.settle();
      assertThat(refusals(log)).as("once").hasSize(1);
      Files.writeString(token, "");
      file.poller.settle();
      assertThat(refusals(log)).as("another problem").hasSize(2);
    }
    Files.writeString(token, "two");
    file.poller.settle();
    assertThat(problem(weir)).isEmpty();
    assertThat(passing()).isEqualTo(5);
  }

  private static List<String> refusals(LogCapture log) {
    return log.records().stream()
        .map(LogRecord::getMessage)
        .filter(line -> line.contains("not reloaded"))
        .toList();
  }

  private void write(String line, FileTime time) throws IOException {
    Files.writeString(keys, line);
    Files.setLastModifiedTime(keys, time);
    file.poller.settle();
  }

  private void write(String line) throws IOException {
    Files.writeString(keys, line);
    file.poller.settle();
  }

  private int passingPartners() {
    return Weirs.passing(weir, 10, () -> FakeRequest.get("/a").header("X-API-Key", "partner"));
  }
}
