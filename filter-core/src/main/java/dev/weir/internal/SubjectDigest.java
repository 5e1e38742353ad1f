package dev.weir.internal;

import dev.weir.Subject;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Digests subjects by SHA-256, behind a prefix that may be a salt. Thread-safe.
 *
 * <p>Each part's kind and value are digested as their length and their UTF-16 code units, so no two
 * subjects have the same bytes. An encoding such as UTF-8 would make all lone surrogates equal.
 */
public final class SubjectDigest {

  /** A digest that has absorbed the prefix. Threads share it, since it is only ever cloned. */
  private final MessageDigest prototype;

  /**
   * @param prefix digested in front of every subject, may be empty
   */
  public SubjectDigest(byte[] prefix) {
    try {
      prototype = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
    prototype.update(prefix);
  }

  /** Returns the 32 bytes of the subject's digest. */
  public byte[] of(Subject subject) {
    return cloned().digest(encoded(subject));
  }

  /** Returns the encoded subject. No other subject has the same bytes. */
  public static byte[] encoded(Subject subject) {
    int size = 0;
    for (Subject.Part part : subject.parts()) {
      size += sizeOf(part.kind()) + sizeOf(part.value());
    }
    ByteBuffer bytes = ByteBuffer.allocate(size);
    for (Subject.Part part : subject.parts()) {
      put(part.kind(), bytes);
      put(part.value(), bytes);
    }
    return bytes.array();
  }

  private static int sizeOf(String text) {
    return Integer.BYTES + Character.BYTES * text.length();
  }

  private static void put(String text, ByteBuffer bytes) {
    bytes.putInt(text.length());
    for (int i = 0; i < text.length(); i++) {
      bytes.putChar(text.charAt(i));
    }
  }

  /** Returns a clone, which costs less than looking up the algorithm. */
  private MessageDigest cloned() {
    try {
      return (MessageDigest) prototype.clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException("the platform's SHA-256 can be cloned", impossible);
    }
  }
}
