package dev.weir.internal.store;

import dev.weir.store.Subject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * SHA-256 behind a prefix, which may be a salt, and the bytes of subjects and texts. Thread-safe.
 *
 * <p>Texts are digested as their UTF-16 code units. An encoding such as UTF-8 would make all lone
 * surrogates equal.
 */
public final class Sha256 {

  /** Digests without a prefix. */
  public static final Sha256 PLAIN = new Sha256(new byte[0]);

  /** A digest that has absorbed the prefix. Threads share it, since it is only ever cloned. */
  private final MessageDigest prototype;

  /**
   * @param prefix digested in front of everything, may be empty
   */
  public Sha256(byte[] prefix) {
    try {
      prototype = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
    prototype.update(prefix);
  }

  /**
   * Returns the digest of subjects that is keyed by a secret (HMAC-SHA-256). It clones a prototype
   * each time, because a lookup of the algorithm costs more.
   */
  public static Function<Subject, byte[]> keyed(String secret) {
    try {
      Mac prototype = Mac.getInstance("HmacSHA256");
      prototype.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return subject -> clone(prototype).doFinal(encoded(subject));
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

  /** Returns the 32 bytes of the digest. */
  public byte[] of(byte[] bytes) {
    try {
      // a clone costs less than looking up the algorithm
      return ((MessageDigest) prototype.clone()).digest(bytes);
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException("the platform's SHA-256 can be cloned", impossible);
    }
  }

  public byte[] of(Subject subject) {
    return of(encoded(subject));
  }

  public byte[] of(String text) {
    ByteBuffer units = ByteBuffer.allocate(Character.BYTES * text.length());
    units.asCharBuffer().put(text);
    return of(units.array());
  }

  /** Returns the digest as 64 hexadecimal digits, in lower case. */
  public String hex(byte[] bytes) {
    return HexFormat.of().formatHex(of(bytes));
  }

  /**
   * Returns the encoded subject. Each part's kind and value are encoded as their length and their
   * code units, so no other subject has the same bytes.
   */
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
}
