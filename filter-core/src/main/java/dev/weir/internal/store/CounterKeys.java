package dev.weir.internal.store;

import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Subject;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;

/**
 * Makes the keys under which maps in process keep counters. Thread-safe.
 *
 * <p>A key holds the limit's name and the subject. A subject longer than {@value #LONGEST}
 * characters is replaced by its digest, so a key is of bounded size whatever a client sends. The
 * digest is salted with random bytes of this object, so no client can compute it.
 */
public final class CounterKeys {

  private static final int SALT_BYTES = 16;

  /** In characters of all kinds and values. Ordinary subjects are shorter, and are not digested. */
  private static final int LONGEST = 128;

  /** Longer than every undigested subject, so no such subject equals a digest. */
  private static final String DIGEST_KIND = "digest ".repeat(LONGEST);

  private final Sha256 digest;

  /** Holds the salt, so it equals no subject of a client. */
  private final Subject overflow;

  /**
   * Identifies a counter in a map by the limit's name and the subject, whatever the limit's numbers
   * are. Immutable.
   *
   * <p>Clients choose subjects, and may choose many with the same hash. Keys are ordered, so a
   * {@link java.util.HashMap} finds such a key in logarithmic time.
   */
  public static final class CounterKey implements Comparable<CounterKey> {

    private static final Comparator<Subject.Part> BY_KIND =
        Comparator.comparing(Subject.Part::kind).thenComparing(Subject.Part::value);

    private final String name;
    private final Subject subject;
    private final int hash;

    /** Returns the key of this counter among those of the same object. */
    public static CounterKey of(String name, Subject subject, CounterKeys keys) {
      int length = 0;
      List<Subject.Part> parts = subject.parts();
      for (int i = 0; i < parts.size(); i++) {
        length += parts.get(i).kind().length() + parts.get(i).value().length();
      }
      return length <= LONGEST
          ? new CounterKey(name, subject)
          : new CounterKey(name, Subject.of(DIGEST_KIND, base64(keys.digest.of(subject))));
    }

    private CounterKey(String name, Subject subject) {
      this.name = name;
      this.subject = subject;
      this.hash = 31 * name.hashCode() + subject.hashCode();
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof CounterKey that
          && hash == that.hash
          && name.equals(that.name)
          && subject.equals(that.subject);
    }

    @Override
    public int compareTo(CounterKey other) {
      List<Subject.Part> parts = subject.parts();
      List<Subject.Part> others = other.subject.parts();
      int order = name.compareTo(other.name);
      if (order == 0) {
        order = Integer.compare(parts.size(), others.size());
      }
      for (int i = 0; i < parts.size() && order == 0; i++) {
        order = BY_KIND.compare(parts.get(i), others.get(i));
      }
      return order;
    }
  }

  public CounterKeys() {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    overflow = Subject.of("overflow", base64(salt));
    digest = new Sha256(salt);
  }

  /** Returns a key that equals the keys of this counter from the same object, and no others. */
  public CounterKey of(Counter counter) {
    return of(counter.name(), counter.subject());
  }

  /** Returns the keys of the charged counters, in the order of the charges. */
  public CounterKey[] of(List<Charge> charges) {
    CounterKey[] keys = new CounterKey[charges.size()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = of(charges.get(i).counter());
    }
    return keys;
  }

  public CounterKey of(String name, Subject subject) {
    return CounterKey.of(name, subject, this);
  }

  /** Returns the key of the counter that subjects without their own counter share. */
  public CounterKey ofOverflow(String name) {
    return new CounterKey(name, overflow);
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
