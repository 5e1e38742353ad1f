package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.internal.store.DigestTags;
import dev.weir.limit.Limit;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.store.Counter;
import dev.weir.store.Subject;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A tag names a subject for those who have the secret, and for no others. */
class SubjectTagsTest {

  private static final Subject CLIENT = Subject.of("ip", "203.0.113.7");

  @Test
  void a_tag_by_a_secret_is_the_start_of_the_digest_in_the_keys() {
    Counter counter = new Counter("api", Limit.parse("5 per minute"), CLIENT);
    String key = new RedisKeys("shop", Optional.of("a secret of 16 bytes")).key(counter);
    String tag = DigestTags.keyed("a secret of 16 bytes").of(CLIENT);
    assertThat(key).startsWith("shop:{" + tag);
    assertThat(tag)
        .isEqualTo(DigestTags.keyed("a secret of 16 bytes").of(CLIENT))
        .isNotEqualTo(DigestTags.keyed("another secret of 16").of(CLIENT))
        .matches("[A-Za-z0-9_-]{8}");
  }

  @Test
  void options_without_a_secret_have_the_tags_of_the_process() {
    RedisOptions plain = RedisOptions.of("redis://localhost", "shop");
    assertThat(plain.subjectTags()).isSameAs(DigestTags.ofProcess());
    assertThat(plain.withSecret("a secret of 16 bytes").subjectTags().of(CLIENT))
        .isEqualTo(DigestTags.keyed("a secret of 16 bytes").of(CLIENT));
  }

  @Test
  void a_tag_of_the_process_is_not_the_digest_that_anybody_can_compute() {
    assertThat(DigestTags.ofProcess().of(CLIENT))
        .isEqualTo(DigestTags.ofProcess().of(CLIENT))
        .isNotEqualTo("sYrRaLsE");
  }

  @Test
  void different_subjects_have_different_tags() {
    assertThat(
            IntStream.range(0, 10_000)
                .mapToObj(i -> DigestTags.ofProcess().of(Subject.of("user", "u" + i)))
                .distinct())
        .hasSize(10_000);
  }
}
