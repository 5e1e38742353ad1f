package dev.weir.http.internal.client;

/** Tokens as RFC 9110 defines them: the names of fields and cookies. */
public final class Tokens {

  public static final String MARKS = "!#$%&'*+-.^_`|~";

  private Tokens() {}

  public static boolean isToken(String name) {
    return !name.isEmpty() && name.chars().allMatch(Tokens::isTokenCharacter);
  }

  private static boolean isTokenCharacter(int c) {
    return (c >= '0' && c <= '9')
        || (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || MARKS.indexOf(c) >= 0;
  }
}
