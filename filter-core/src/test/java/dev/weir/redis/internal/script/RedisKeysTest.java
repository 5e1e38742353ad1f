package dev.weir.redis.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.store.Counter;
import dev.weir.store.Subject;
import dev.weir.store.Subject.Part;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RedisKeysTest {

  private static final RedisKeys PLAIN = new RedisKeys("shop", Optional.empty());

  @Test
  void a_key_is_application_digest_kind_and_limit() {
    assertThat(key(PLAIN, Subject.of("ip", "192.0.2.1")))
        .matches("shop:\\{[A-Za-z0-9_-]{22}}b:login \\*");
  }

  @Test
  void the_digest_is_the_documented_one() throws Exception {
    byte[] encoded = {0, 0, 0, 2, 0, 'i', 0, 'p', 0, 0, 0, 1, 0, '7'};
    byte[] full = MessageDigest.getInstance("SHA-256").digest(encoded);
    String expected =
        Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(full, 16));
    assertThat(key(PLAIN, Subject.of("ip", "7"))).isEqualTo("shop:{" + expected + "}b:login *");
  }

  @Test
  void a_bucket_and_a_window_of_one_name_have_keys_of_their_own_in_one_slot() {
    Subject subject = Subject.of("ip", "192.0.2.1");
    String bucket = key(PLAIN, subject);
    Counter first = new Counter("login *", Limit.parse("1/s window"), subject);
    Counter calendar = new Counter("login *", Limit.parse("1 per day window UTC"), subject);
    assertThat(PLAIN.key(first))
        .isEqualTo(bucket.replace("}b:", "}w:"))
        .isEqualTo(PLAIN.key(calendar));
    assertThat(RedisKeys.slot(PLAIN.key(first))).isEqualTo(RedisKeys.slot(bucket));
  }

  @Test
  void no_two_subjects_share_a_key() {
    List<Subject> subjects = new ArrayList<>();
    List<String> odd =
        List.of(
            "",
            "a",
            "b",
            "ab",
            "a:b",
            "\0",
            "a\0",
            "{",
            "}",
            "{a}",
            "*",
            "\ud800",
            "\udfff",
            "\ud83d\ude00",
            "\ufffd",
            "?",
            "e\u0301",
            "\u00e9",
            "A",
            " a",
            "a ",
            "\r\n",
            "\uffff",
            "x".repeat(1 << 20));
    for (String one : odd) {
      subjects.add(Subject.of("k", one));
      subjects.add(Subject.of("k2", one));
      for (String other : odd) {
        subjects.add(new Subject(List.of(new Part("k", one), new Part("k", other))));
      }
    }
    Set<String> keys = new HashSet<>();
    subjects.forEach(subject -> keys.add(key(PLAIN, subject)));
    assertThat(keys).hasSameSizeAs(subjects).allMatch(key -> key.length() == 5 + 24 + 9);
  }

  @Test
  void a_secret_changes_every_digest_and_the_same_secret_none() {
    Subject subject = Subject.of("ip", "192.0.2.1");
    RedisKeys one = new RedisKeys("shop", Optional.of("pepper"));
    RedisKeys same = new RedisKeys("shop", Optional.of("pepper"));
    RedisKeys other = new RedisKeys("shop", Optional.of("salt"));
    assertThat(key(one, subject))
        .isEqualTo(key(same, subject))
        .isNotEqualTo(key(other, subject))
        .isNotEqualTo(key(PLAIN, subject));
  }

  @Test
  void all_limits_of_a_subject_share_a_slot_and_subjects_spread() {
    Set<Integer> slots = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      Subject subject = Subject.of("user", "u" + i);
      int slot = RedisKeys.slot(key(PLAIN, subject));
      Counter other = new Counter("other", Limit.parse("1/s"), subject);
      assertThat(RedisKeys.slot(PLAIN.key(other))).isEqualTo(slot);
      slots.add(slot);
    }
    assertThat(slots).hasSizeGreaterThan(900);
  }

  @Test
  void threads_digest_at_the_same_time() {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      expected.add(key(PLAIN, Subject.of("user", "u" + i)));
    }
    List<String> keys =
        IntStream.range(0, 2_000)
            .parallel()
            .mapToObj(i -> key(PLAIN, Subject.of("user", "u" + i)))
            .toList();
    assertThat(keys).isEqualTo(expected);
  }

  private static String key(RedisKeys keys, Subject subject) {
    return keys.key(new Counter("login *", Limit.parse("1/s"), subject));
  }
}
