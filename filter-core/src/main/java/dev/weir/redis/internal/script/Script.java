package dev.weir.redis.internal.script;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Lua script: a driver and all that it includes, assembled once. The resources describe each
 * part, and {@code prelude.lua} how they include each other.
 *
 * @param text the full script, sent when Redis does not know it yet; without comments, since Redis
 *     keeps it as long as it runs
 * @param sha1 the digest that calls use, in lower-case hexadecimal
 * @param declaresKeys whether its keys are declared; otherwise they follow its arguments
 */
public record Script(String text, String sha1, boolean declaresKeys) {

  /** A line that is replaced by the text of another resource. */
  private static final Pattern INCLUDE =
      Pattern.compile("(?m)^ *--include (\\w+)( with changes)?\\R");

  /** The part of a resource for changes other than decisions. */
  private static final Pattern CHANGES = Pattern.compile("(?ms)^--changes$.*");

  private static final Pattern COMMENTS = Pattern.compile("(?m)^( *--.*)?\\R");

  // one decision or adjustment, over one counter or over several of one slot
  public static final Script DECIDE_ONE = of("decide").ofOneKey();
  public static final Script DECIDE_ALL = of("decide");
  public static final Script ADJUST_ONE = of("adjust").ofOneKey();
  public static final Script ADJUST_ALL = of("adjust");

  // many decisions: of one slot, or of any slots of one primary, if the primary allows that
  public static final Script BATCH = of("keys_of_slot", "batch");
  public static final Script ACROSS = of("keys_across", "batch").withKeysUndeclared();

  public static final Script HEARTBEAT = of("heartbeat");
  public static final Script LEAVE = of("leave");

  /** Returns the script that consists of these resources, one after the other. */
  public static Script of(String... resources) {
    return ofText(Stream.of(resources).map(part -> text(part, false)).collect(joining()));
  }

  private static Script ofText(String text) {
    return new Script(text, sha1(text), true);
  }

  /** Returns the same script for proxies that forbid computed keys. */
  private Script ofOneKey() {
    return ofText(text.replace("KEYS[k]", "KEYS[1]"));
  }

  private Script withKeysUndeclared() {
    return new Script(text, sha1, false);
  }

  /**
   * @param hasChanges whether the text includes the parts for changes other than decisions
   */
  private static String text(String resource, boolean hasChanges) {
    String whole = read(resource + ".lua");
    String wanted = hasChanges ? whole : CHANGES.matcher(whole).replaceFirst("");
    String all =
        INCLUDE
            .matcher(wanted)
            .replaceAll(
                line -> {
                  boolean withChanges = hasChanges || line.group(2) != null;
                  return Matcher.quoteReplacement(text(line.group(1), withChanges));
                });
    return COMMENTS.matcher(all).replaceAll("");
  }

  private static String read(String resource) {
    try (InputStream in = Script.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(
            resource + ": not on the class path (expected: in the same jar)");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-1");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }
}
