package dev.weir.http.internal.client;

/** Tokens as RFC 9110 defines them: the names of fields and cookies. */
public final class Tokens {

  public static final String MARKS = "!#$%&'*+-.^_`|~";

  private Tokens() {}

  public static boolean isToken(String name) {
    return !name.isEmpty()
        && name.chars()
            .allMatch(c -> (c < 0x80 && Character.isLetterOrDigit(c)) || MARKS.indexOf(c) >= 0);
  }
}
