package dev.weir.internal;

/** Writes texts into JSON. */
public final class JsonText {

  private JsonText() {}

  /** Returns the text as a JSON string. */
  public static String quoted(String text) {
    return append(text, new StringBuilder(text.length() + 2)).toString();
  }

  /** Appends the text as a JSON string. */
  public static StringBuilder append(String text, StringBuilder json) {
    return appendEscaped(text, json.append('"')).append('"');
  }

  /** Returns the text as it stands in a JSON string, without its quotes. */
  public static String escaped(String text) {
    return appendEscaped(text, new StringBuilder(text.length())).toString();
  }

  private static StringBuilder appendEscaped(String text, StringBuilder json) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    return json;
  }
}
