package dev.weir.local;

import dev.weir.Subject;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/**
 * Makes keys of counters: SHA-256 over a salt of this process, the limit's name, and every part's
 * kind and value, each behind its length, so that no two counters read the same. The salt keeps
 * clients from choosing keys that collide, and whoever reads the memory from guessing them.
 *
 * <p>Characters are hashed as the two bytes they are: an encoding would make broken surrogates all
 * the same.
 */
final class CounterKeys {

  private static final int SALT_BYTES = 16;

  /** Has absorbed the salt. Only ever copied, so threads may share it. */
  private final MessageDigest salted;

  CounterKeys() {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    try {
      salted = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
    salted.update(salt);
  }

  CounterKey of(String name, Subject subject) {
    int bytes = size(name);
    for (Subject.Part part : subject.parts()) {
      bytes += size(part.kind()) + size(part.value());
    }
    ByteBuffer text = put(name, ByteBuffer.allocate(bytes));
    for (Subject.Part part : subject.parts()) {
      put(part.value(), put(part.kind(), text));
    }
    return digest(text);
  }

  /** The key of the counter that subjects without one of their own share. */
  CounterKey ofOverflow(String name) {
    return digest(put(name, ByteBuffer.allocate(size(name))));
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

  private CounterKey digest(ByteBuffer text) {
    MessageDigest digest = copyOfSalted();
    digest.update(text.flip());
    ByteBuffer hash = ByteBuffer.wrap(digest.digest());
    return new CounterKey(hash.getLong(), hash.getLong());
  }

  private MessageDigest copyOfSalted() {
    try {
      return (MessageDigest) salted.clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException("the platform's SHA-256 can be copied", impossible);
    }
  }
}
