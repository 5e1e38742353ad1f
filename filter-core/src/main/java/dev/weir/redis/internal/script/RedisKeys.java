package dev.weir.redis.internal.script;

import dev.weir.internal.store.Sha256;
import dev.weir.store.Counter;
import dev.weir.store.Subject;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The names of our keys: {@code application:{digest}k:limit}.
 *
 * <p>The letter k is the limit's kind, see {@link EncodedLimit#keyLetter}. The states of two kinds
 * have nothing in common. Under one key, a bucket and a window of one name could not read each
 * other's state. Both would start anew with each request, so that neither would limit.
 *
 * <p>The digest covers every byte that a client can choose. So a key has a fixed length, no odd
 * character, and no API key in it. The digest includes the kind and the value of each part, as
 * their length and their UTF-16 code units. So no two subjects are encoded the same, whatever they
 * contain, lone surrogates included. It is the first 128 bits of SHA-256, keyed (HMAC) when there
 * is a secret, in base64url. As the key's tag it puts all limits of a subject into one slot of a
 * cluster.
 */
public final class RedisKeys {

  private static final int DIGEST_BYTES = 16;
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  /** The text before the tag of every key. */
  private final String prefix;

  private final Function<Subject, byte[]> digest;

  public RedisKeys(String application, Optional<String> secret) {
    prefix = application + ":{";
    digest = secret.map(Sha256::keyed).orElse(Sha256.PLAIN::of);
  }

  public String key(Counter counter) {
    return prefix
        + digest(counter.subject())
        + "}"
        + EncodedLimit.keyLetter(counter.limit())
        + ":"
        + counter.name();
  }

  /** Returns a key of our own. No counter can have it, because no digest is so short. */
  public String reserved(String tag) {
    return prefix + tag + "}:weir";
  }

  /** Returns the tag of a key of ours. */
  public static String tag(String key) {
    return key.substring(key.indexOf('{') + 1, key.indexOf('}'));
  }

  /** Returns the slot of a key in a cluster. */
  public static int slot(String key) {
    return JedisClusterCRC16.getSlot(key);
  }

  private String digest(Subject subject) {
    return BASE64.encodeToString(Arrays.copyOf(digest.apply(subject), DIGEST_BYTES));
  }
}
