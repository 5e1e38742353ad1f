package dev.weir.redis.internal.script;

import dev.weir.Counter;
import dev.weir.FixedWindow;
import dev.weir.Subject;
import dev.weir.internal.SubjectDigest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The names of our keys: {@code application:{digest}k:limit}.
 *
 * <p>The letter k is the limit's kind: b, a token bucket; l, a leaky one; w, a fixed window; s, a
 * sliding one; h, what is held of a concurrency limit. Their states have nothing in common. Under
 * one key, a bucket and a window of one name would read each other's as nonsense and begin anew
 * with each request, so that neither limited.
 *
 * <p>The digest covers every byte that a client can choose, so that a key has one length, no odd
 * character, and no API key in it. Each part's kind and value go into it as their length and their
 * UTF-16 code units: no two subjects read the same, whatever they hold, lone surrogates included.
 * It is the first 128 bits of SHA-256, keyed (HMAC) when there is a secret, in base64url. As the
 * key's tag it brings all limits of a subject into one slot of a cluster.
 */
public final class RedisKeys {

  private static final int DIGEST_BYTES = 16;
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  /** What stands before the tag of every key. */
  private final String prefix;

  private final Function<Subject, byte[]> digest;

  public RedisKeys(String application, Optional<String> secret) {
    prefix = application + ":{";
    this.digest = secret.map(RedisKeys::keyed).orElseGet(RedisKeys::plain);
  }

  public String key(Counter counter) {
    return prefix + digest(counter.subject()) + "}" + kind(counter) + ":" + counter.name();
  }

  private static String kind(Counter counter) {
    return counter.limit() instanceof FixedWindow ? "w" : Script.letter(counter.limit());
  }

  /** A key of our own, which no counter can have: no digest is so short. */
  public String reserved(String tag) {
    return prefix + tag + "}:weir";
  }

  /** The slot of a cluster that a key belongs to. */
  public static int slot(String key) {
    return JedisClusterCRC16.getSlot(key);
  }

  private String digest(Subject subject) {
    return BASE64.encodeToString(Arrays.copyOf(digest.apply(subject), DIGEST_BYTES));
  }

  private static Function<Subject, byte[]> plain() {
    return new SubjectDigest(new byte[0])::of;
  }

  /** Each digest is computed by a clone: looking up the algorithm costs more. */
  private static Function<Subject, byte[]> keyed(String secret) {
    try {
      Mac prototype = Mac.getInstance("HmacSHA256");
      prototype.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return subject -> clone(prototype).doFinal(SubjectDigest.encoded(subject));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  private static Mac clone(Mac prototype) {
    try {
      return (Mac) prototype.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the platform's HmacSHA256 can be cloned", e);
    }
  }
}
