package dev.weir.redis.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.StoreUnavailableException;
import dev.weir.store.StoreUnavailableException.Kind;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** The texts are those of Redis 6.2 to 7.2. */
class ErrorKindTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OOM command not allowed when used memory > 'maxmemory'.|OUTAGE",
        "ERR Error running script (call to f_a): @user_script:1: -OOM command not allowed|OUTAGE",
        "READONLY You can't write against a read only replica. script: a, on"
            + " @user_script:1.|DEMOTED",
        "ERR Error running script (call to f_a): @user_script:1: -READONLY You can't write|DEMOTED",
        "NOREPLICAS Not enough good replicas to write.|OUTAGE",
        "MISCONF Redis is configured to save RDB snapshots|OUTAGE",
        "LOADING Redis is loading the dataset in memory|OUTAGE",
        "MASTERDOWN Link with MASTER is down|OUTAGE",
        "CLUSTERDOWN Hash slot not served|OUTAGE",
        "BUSY Redis is busy running a script.|OUTAGE",
        "ERR max number of clients reached|OUTAGE",
        "ERR something nobody has heard of|UNKNOWN",
        "ERR Connection timed out|UNKNOWN",
        "upstream failure|UNKNOWN",
        "NOAUTH Authentication required.|SETUP",
        "WRONGPASS invalid username-password pair or user is disabled.|SETUP",
        "NOPERM this user has no permissions to run the 'evalsha' command|SETUP",
        "ERR Error running script (call to f_a): @user_script:1: The user executing the script"
            + " can't run this command or subcommand|SETUP_IN_SCRIPT",
        "ERR The user executing the script can't access at least one of the keys script:"
            + " a|SETUP_IN_SCRIPT",
        "ERR ACL failure in script: User weir has no permissions to run the 'set' command script:"
            + " a, on @user_script:9.|SETUP_IN_SCRIPT",
        "ERR Error running script (call to f_a): @user_script:9: Write commands not allowed after"
            + " non deterministic commands. Call redis.replicate_commands() at the start of your"
            + " script|SETUP_IN_SCRIPT",
        "ERR This Redis command is not allowed from script script: a, on"
            + " @user_script:13.|SETUP_IN_SCRIPT",
        "ERR Unknown Redis command called from script script: a, on"
            + " @user_script:12.|SETUP_IN_SCRIPT",
        "ERR Error running script (call to f_a): @user_script:12: Unknown Redis command called from"
            + " Lua script|SETUP_IN_SCRIPT",
        "MOVED 12182 10.0.0.2:6379|SETUP",
        "ERR unknown command 'EVALSHA'|SETUP",
        "TRYAGAIN Multiple keys request during rehashing of slot|PASSING",
        "ERR Error running script (call to f_a): @user_script:9: attempt to index a nil value|BUG",
        "ERR user_script:9: attempt to compare number with nil script: a, on @user_script:9.|BUG",
        "CROSSSLOT Keys in request don't hash to the same slot|BUG"
      })
  void what_an_error_means(String message, ErrorKind kind) {
    assertThat(ErrorKind.of(new JedisDataException(message))).isEqualTo(kind);
  }

  /** A proxy may have passed the call on before it replied this; a script may fail half-way. */
  @ParameterizedTest
  @EnumSource
  void only_after_errors_that_redis_replies_instead_of_writing_may_a_refund_be_sent_again(
      ErrorKind kind) {
    assertThat(kind.mayHaveRun())
        .isEqualTo(
            Set.of(ErrorKind.UNKNOWN, ErrorKind.BUG, ErrorKind.SETUP_IN_SCRIPT).contains(kind));
  }

  @Test
  void so_nothing_is_concluded_from_an_unknown_error() {
    assertThat(NotSentException.isCauseOf(failure("OOM command not allowed"))).isTrue();
    assertThat(NotSentException.isCauseOf(failure("ERR Connection timed out"))).isFalse();
  }

  private static StoreUnavailableException failure(String reply) {
    return new StoreUnavailableException(
        "redis", Kind.OUTAGE, Duration.ZERO, new JedisDataException(reply));
  }

  @Test
  void a_failure_of_ours_is_a_bug_and_that_of_a_connection_an_outage_however_deep() {
    RuntimeException ours = new IllegalStateException("as a test wants");
    assertThat(ErrorKind.of(lost(lost(ours)))).isEqualTo(ErrorKind.BUG);
    assertThat(ErrorKind.of(lost(lost(new JedisConnectionException("reset")))))
        .isEqualTo(ErrorKind.OUTAGE);
    assertThat(ErrorKind.of(new OutcomeUnknownException("closed"))).isEqualTo(ErrorKind.OUTAGE);
  }

  private static OutcomeUnknownException lost(Exception why) {
    return new OutcomeUnknownException("the connection was lost", why);
  }

  @Test
  void a_connection_that_fails_is_an_outage() {
    assertThat(ErrorKind.of(new JedisConnectionException("user_script")))
        .isEqualTo(ErrorKind.OUTAGE);
  }
}
