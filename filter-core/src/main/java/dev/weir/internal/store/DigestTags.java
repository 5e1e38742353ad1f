package dev.weir.internal.store;

import dev.weir.store.Subject;
import dev.weir.store.SubjectTags;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Function;

/**
 * Tags that are the start of a digest. Thread-safe.
 *
 * @param digest of a subject
 */
public record DigestTags(Function<Subject, byte[]> digest) implements SubjectTags {

  /** Of the digest. They give eight characters without padding. */
  private static final int BYTES = 6;

  private static final int SALT_BYTES = 16;
  private static final SubjectTags OF_PROCESS = new DigestTags(salted()::of);

  /** Returns the tags that begin as the digests in keys of Redis do, by this secret. */
  public static SubjectTags keyed(String secret) {
    return new DigestTags(Sha256.keyed(secret));
  }

  /** Returns the tags of this process alone. */
  public static SubjectTags ofProcess() {
    return OF_PROCESS;
  }

  @Override
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
