package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.redis.RedisUri.Kind;
import dev.weir.redis.internal.client.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisUriTest {

  @Test
  void a_host_alone_has_the_default_port_and_database() {
    RedisUri uri = RedisUri.parse("redis://cache");
    assertThat(uri.kind()).isEqualTo(Kind.STANDALONE);
    assertThat(uri.tls()).isFalse();
    assertThat(uri.hosts()).containsExactly(new Host("cache", 6379));
    assertThat(uri.database()).isZero();
    assertThat(uri.user()).isNull();
    assertThat(uri.password()).isNull();
  }

  @Test
  void user_and_password_are_percent_decoded() {
    RedisUri uri = RedisUri.parse("REDISS://us%65r:p%40ss%2F%3A%3f%c3%a9ü@cache.example:6380/3");
    assertThat(uri.tls()).isTrue();
    assertThat(uri.user()).isEqualTo("user");
    assertThat(uri.password()).isEqualTo("p@ss/:?éü");
    assertThat(uri.hosts()).containsExactly(new Host("cache.example", 6380));
    assertThat(uri.database()).isEqualTo(3);
  }

  @Test
  void a_password_may_stand_alone_and_hold_colons_and_at_signs() {
    RedisUri uri = RedisUri.parse("redis://:a:b@c@cache");
    assertThat(uri.user()).isNull();
    assertThat(uri.password()).isEqualTo("a:b@c");
  }

  @Test
  void ipv6_stands_in_brackets() {
    assertThat(RedisUri.parse("redis://[::1]:7000/").hosts())
        .containsExactly(new Host("::1", 7000));
    assertThat(RedisUri.parse("redis://[fe80::1%25eth0]").hosts()).hasSize(1);
    assertThat(RedisUri.parse("redis://[::1]")).hasToString("redis://[::1]:6379");
  }

  @Test
  void sentinels_name_their_master() {
    RedisUri uri = RedisUri.parse("rediss-sentinel://:pw@s1,s2:1234,[::2]/my-master/4");
    assertThat(uri.kind()).isEqualTo(Kind.SENTINEL);
    assertThat(uri.tls()).isTrue();
    assertThat(uri.hosts())
        .containsExactly(new Host("s1", 26379), new Host("s2", 1234), new Host("::2", 26379));
    assertThat(uri.master()).isEqualTo("my-master");
    assertThat(uri.database()).isEqualTo(4);
    assertThat(uri).hasToString("rediss-sentinel://s1:26379,s2:1234,[::2]:26379/my-master/4");
  }

  @Test
  void a_cluster_has_several_seeds_and_no_database() {
    RedisUri uri = RedisUri.parse("redis-cluster://a,b:7001/0");
    assertThat(uri.kind()).isEqualTo(Kind.CLUSTER);
    assertThat(uri.hosts()).containsExactly(new Host("a", 6379), new Host("b", 7001));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "valkey://cache redis://cache",
        "VALKEYS://u:p@cache:1/2 rediss://u:p@cache:1/2",
        "redis+sentinel://u:p@a,b/main/3 redis-sentinel://u:p@a,b/main/3",
        "rediss+sentinel://a/main rediss-sentinel://a/main",
        "valkey-sentinel://a/main redis-sentinel://a/main",
        "valkeys+sentinel://a/main rediss-sentinel://a/main",
        "valkey-cluster://a redis-cluster://a",
        "rediss+cluster://a rediss-cluster://a"
      })
  void a_scheme_of_other_software_is_a_synonym(String text, String ours) {
    assertThat(RedisUri.parse(text)).isEqualTo(RedisUri.parse(ours));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "'' redis://host",
        "'  ' redis://host",
        "cache redis://host",
        "cache:6379 redis://host",
        "http://cache redis://host",
        "redis:/cache redis://host",
        "redisx://cache redis://host",
        "rediss-sentinels://cache redis://host",
        "redissentinel://cache redis://host",
        "valkeyss://cache redis://host",
        "valkey*sentinel://cache/m redis://host",
        "://cache redis://host",
        "redis:// host",
        "redis:///0 host",
        "redis://ca_che! host",
        "redis://ca\u00e9 host",
        "redis://cache:0 port",
        "redis://cache:65536 port",
        "redis://cache:-1 port",
        "redis://cache: port",
        "redis://cache:6379x port",
        "redis://cache:99999999999999999999 port",
        "redis://cache:\u0661\u0662 port",
        "redis://a:1:2 brackets",
        "redis://::1 brackets",
        "redis://[::1 brackets",
        "redis://[] brackets",
        "redis://[cache] brackets",
        "redis://[::1]6379 port",
        "redis://a,b one",
        "redis://a, host",
        "redis://cache/x database",
        "redis://cache/-1 database",
        "redis://cache/65536 database",
        "redis://cache/1/2 database",
        "redis://cache?db=1 ?",
        "redis://cache#1 #",
        "redis-cluster://a/1 database",
        "redis-cluster://a,,b host",
        "redis-sentinel://a name",
        "redis-sentinel://a/ name",
        "redis-sentinel://a//0 name",
        "redis-sentinel://a/m!/0 name",
        "redis-sentinel://a/m/x database",
        "redis-sentinel:///m host"
      })
  void a_broken_one_is_refused_with_what_was_expected(String text, String expectation) {
    assertThatThrownBy(() -> RedisUri.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("redis.uri: ")
        .hasMessageMatching("(?s).*\\(expected: .*\\Q" + expectation + "\\E.*\\)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://user:hunter2@cache:port",
        "redis://user:hunter2@",
        "redis://user:hunter2",
        "redis://:hunter2",
        "redis://user:hun/ter2@cache",
        "redis://user:hunter2/x@cache",
        "redis://user:hunter2?x@cache",
        "redis://user:hunter2#x@cache",
        "redis://user:hunter2@cache?password=hunter2",
        "redis://cache?password=hunter2",
        "redis://user:hunter2%@cache",
        "redis://user:hunter2%4@cache",
        "redis://user:hunter2%zz@cache",
        "redis://user:hunter2%ff@cache",
        "redis://user:hunter2 @cache",
        "redis://user:hunter2\n@cache",
        "redis://hunter2@cache",
        "http://user:hunter2@cache",
        "user:hunter2@cache",
        "user:hunter2",
        "redis:user:hunter2@cache",
        "redis-cluster://user:hunter2@a,b:x",
        "redis-cluster://user:hunter2@a:7000,user:hunter2@b:7001",
        "redis-cluster://:hunter2@a,:hunter2@b,:hunter2@c",
        "redis-sentinel://user:hunter2@a,user:hunter2@b/m",
        "redis-cluster://h1:7000,user:hunter2@h2:7001",
        "redis-cluster://user:hun,ter2@h",
        "redis-sentinel://a,user:hunter2@b/m",
        "redis-sentinel://:hunter2,a@b/m",
        "redis-cluster://user:hunter2@a/7",
        "redis-sentinel://user:hunter2@a",
        "redis-sentinel://user:hunter2@a/m/x",
        "redis+sentinel://user:hunter2@a/m/x",
        "redis+sentinel://a/m/hunter2",
        "valkey://user:hunter2@cache:port",
        "valkeys://cache/hunter2",
        "redis://user:@hunter2:hunter2"
      })
  void no_message_shows_a_password(String text) {
    assertThatThrownBy(() -> RedisOptions.of(text, "shop"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("redis.uri: ")
        .message()
        .doesNotContainPattern("hunter2(?!:\\*)")
        .doesNotContain("ter2@");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis-cluster://h1:7000,user:hunter2@h2:7001",
        "rediss-cluster://user:hun,ter2@h",
        "redis-sentinel://a,user:hunter2@b/m"
      })
  void credentials_at_a_later_host_are_refused(String text) {
    assertThatThrownBy(() -> RedisUri.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("://***@")
        .hasMessageContaining("before the first host")
        .hasMessageContaining("a comma as %2C");
  }

  @Test
  void a_password_may_hold_a_comma() {
    assertThat(RedisUri.parse("redis://user:a,b@cache").password()).isEqualTo("a,b");
    assertThat(RedisUri.parse("redis-cluster://user:a%2Cb@h1,h2").password()).isEqualTo("a,b");
  }

  @Test
  void what_is_too_long_is_not_repeated() {
    assertThatThrownBy(() -> RedisUri.parse("redis://" + "x".repeat(5_000)))
        .hasMessage("redis.uri: 5008 characters (expected: at most 4096 characters)");
  }
}
