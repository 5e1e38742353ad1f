package dev.weir.store;

import dev.weir.internal.store.Sha256;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Function;

/**
 * Short names of subjects for access logs and reports. A tag shows that two requests had the same
 * subject, and not which. Immutable and thread-safe.
 *
 * <p>A tag is the first eight characters of the subject's digest, in base64url: 48 bits. With the
 * application's secret it is the start of the digest in the keys of Redis, {@code
 * application:{digest}…}, and the same on all nodes. Without a secret, the digest includes a random
 * number of this process: names and addresses could be guessed from their plain digest. Such a tag
 * is another one on each node and after each start.
 *
 * <pre>{@code
 * String tag = SubjectTags.ofProcess().of(Subject.of("ip", "203.0.113.7")); // such as H36tsnzx
 * }</pre>
 */
public final class SubjectTags {

  /** Of the digest. They give eight characters without padding. */
  private static final int BYTES = 6;

  private static final int SALT_BYTES = 16;
  private static final SubjectTags OF_PROCESS = new SubjectTags(salted()::of);

  private final Function<Subject, byte[]> digest;

  private SubjectTags(Function<Subject, byte[]> digest) {
    this.digest = digest;
  }

  /** Returns the tags that begin as the digests in keys of Redis do, by this secret. */
  public static SubjectTags keyed(String secret) {
    return new SubjectTags(Sha256.keyed(secret));
  }

  /** Returns the tags of this process alone. */
  public static SubjectTags ofProcess() {
    return OF_PROCESS;
  }

  /** Returns the tag of a subject: eight letters, digits, hyphens or underscores. */
  public String of(Subject subject) {
    byte[] start = Arrays.copyOf(digest.apply(subject), BYTES);
    return Base64.getUrlEncoder().encodeToString(start);
  }

  private static Sha256 salted() {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    return new Sha256(salt);
  }
}
