package dev.weir.internal;

/** Writes texts into JSON. */
public final class JsonText {

  private JsonText() {}

  /** Returns the text as a JSON string. */
  public static String quoted(String text) {
    return '"' + escaped(text) + '"';
  }

  /** Returns the text as it stands in a JSON string, without its quotes. */
  public static String escaped(String text) {
    StringBuilder json = new StringBuilder(text.length());
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
    return json.toString();
  }
}
