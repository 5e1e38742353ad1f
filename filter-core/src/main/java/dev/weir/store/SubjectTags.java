package dev.weir.store;

/**
 * Short names of subjects for access logs and reports. A tag shows that two requests had the same
 * subject, and not which. Thread-safe.
 *
 * <p>A tag is the first eight characters of the subject's digest, in base64url: 48 bits. With the
 * application's secret it is the start of the digest in the keys of Redis, {@code
 * application:{digest}…}, and the same on all nodes. Without a secret, the digest includes a random
 * number of this process: names and addresses could be guessed from their plain digest. Such a tag
 * is another one on each node and after each start.
 *
 * <pre>{@code
 * RedisOptions redis = RedisOptions.of("redis://cache", "shop").withSecret(secret);
 * String tag = redis.subjectTags().of(Subject.of("ip", "203.0.113.7")); // such as H36tsnzx
 * }</pre>
 */
@FunctionalInterface
public interface SubjectTags {

  /** Returns the tag of a subject: eight letters, digits, hyphens or underscores. */
  String of(Subject subject);
}
