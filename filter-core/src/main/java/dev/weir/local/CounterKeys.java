package dev.weir.local;

import dev.weir.Counter;
import dev.weir.Subject;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;

/**
 * Makes keys of counters: their names and subjects as they are. Only of a long subject a digest
 * stands for it, so that keys are of bounded size whatever a client sends: SHA-256 over a salt of
 * this process and every part's kind and value, each behind its length. Who does not know the salt
 * cannot say what another's digest is.
 *
 * <p>Characters are hashed as the two bytes they are: an encoding would make broken surrogates all
 * the same.
 */
final class CounterKeys {

  private static final int SALT_BYTES = 16;

  /** In characters: of what is usual, nothing is longer. */
  private static final int LONGEST = 128;

  /** Has absorbed the salt. Only ever copied, so threads may share it. */
  private final MessageDigest salted;

  /** Nobody else's: no client can guess it. */
  private final Subject overflow;

  CounterKeys() {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    overflow = Subject.of("overflow", Base64.getEncoder().encodeToString(salt));
    try {
      salted = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
    salted.update(salt);
  }

  CounterKey of(Counter counter) {
    Subject subject = counter.subject();
    return new CounterKey(counter.name(), isLong(subject) ? digestOf(subject) : subject);
  }

  /** The key of the counter that subjects without one of their own share. */
  CounterKey ofOverflow(String name) {
    return new CounterKey(name, overflow);
  }

  private static boolean isLong(Subject subject) {
    int length = 0;
    List<Subject.Part> parts = subject.parts();
    for (int i = 0; i < parts.size(); i++) {
      length += parts.get(i).kind().length() + parts.get(i).value().length();
    }
    return length > LONGEST;
  }

  private Subject digestOf(Subject subject) {
    int bytes = 0;
    for (Subject.Part part : subject.parts()) {
      bytes += size(part.kind()) + size(part.value());
    }
    ByteBuffer text = ByteBuffer.allocate(bytes);
    for (Subject.Part part : subject.parts()) {
      put(part.value(), put(part.kind(), text));
    }
    return digest(text);
  }

  private static int size(String text) {
    return Integer.BYTES + Character.BYTES * text.length();
  }

  private static ByteBuffer put(String text, ByteBuffer bytes) {
    bytes.putInt(text.length());
    for (int i = 0; i < text.length(); i++) {
      bytes.putChar(text.charAt(i));
    }
    return bytes;
  }

  private Subject digest(ByteBuffer text) {
    MessageDigest digest = copyOfSalted();
    digest.update(text.flip());
    return Subject.of("digest", Base64.getEncoder().encodeToString(digest.digest()));
  }

  private MessageDigest copyOfSalted() {
    try {
      return (MessageDigest) salted.clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException("the platform's SHA-256 can be copied", impossible);
    }
  }
}
