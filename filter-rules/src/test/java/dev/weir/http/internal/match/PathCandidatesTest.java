package dev.weir.http.internal.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many ways there are to read a path. */
class PathCandidatesTest {

  private static final String ALPHABET = "/./..;%2F%2e%5C\\ab\u0000é\ud83d\ud800 ";

  @ParameterizedTest
  @ValueSource(strings = {"/", "/a", "/a/", "/a/b", "/.a", "/a.", "/a..b", "/.../a", "/a b", "/é"})
  void a_plain_path_has_one_reading_itself(String path) {
    assertThat(PathCandidates.of(path)).containsExactly(path);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''         | /
          a          | /a
          //         | /
          /a//b      | /a/b
          /a/./b     | /a/b
          /a/../b    | /b
          /../..     | /
          /a/..      | /
          /a/b/..    | /a/
          /a/b/.     | /a/b/
          /a/b/../   | /a/
          /a;x/b;y   | /a/b
          /a;x/      | /a/
          /;x        | /
          /..;/a     | /a
          """)
  void the_strictest_reading_drops_parameters_and_resolves_dots(String path, String reading) {
    assertThat(PathCandidates.of(path)).contains(reading);
    assertThat(PathCandidates.resolved(PathCandidates.withoutParameters(path))).isEqualTo(reading);
  }

  @Test
  void readings_of_an_ambiguous_path_are_all_that_stand_to_reason() {
    assertThat(PathCandidates.of("/a/..;x/b%2Fc"))
        .containsExactlyInAnyOrder(
            "/a/..;x/b%2Fc", "/a/../b%2Fc", "/b%2Fc", "/a/..;x/b/c", "/a/../b/c", "/b/c");
  }

  @Test
  void what_was_decoded_twice_already_is_not_decoded_a_third_time() {
    assertThat(PathCandidates.of("/%256Cogin")).doesNotContain("/login").contains("/%6Cogin");
  }

  @Test
  void random_paths_never_fail_and_the_resolved_reading_is_final() {
    Random random = new Random(7);
    for (int round = 0; round < 50_000; round++) {
      String path = randomPath(random);
      assertThat(PathCandidates.of(path))
          .as(path)
          .isNotEmpty()
          .hasSizeLessThanOrEqualTo(6)
          .allSatisfy(reading -> assertThat(reading).startsWith("/").doesNotContain("//"));
      String resolved = PathCandidates.resolved(PathCandidates.withoutParameters(path));
      assertThat(PathCandidates.resolved(PathCandidates.withoutParameters(resolved)))
          .as(path)
          .isEqualTo(resolved);
      assertThat(resolved + "/").as(path).doesNotContain("/../").doesNotContain("/./");
    }
  }

  @Test
  void a_plain_path_is_its_own_strictest_reading() {
    Random random = new Random(8);
    for (int round = 0; round < 50_000; round++) {
      String path = "/" + randomPath(random);
      if (PathCandidates.isPlain(path)) {
        assertThat(PathCandidates.resolved(PathCandidates.withoutParameters(path))).isEqualTo(path);
      }
    }
  }

  private static String randomPath(Random random) {
    StringBuilder path = new StringBuilder();
    int length = random.nextInt(24);
    for (int i = 0; i < length; i++) {
      path.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return path.toString();
  }
}
