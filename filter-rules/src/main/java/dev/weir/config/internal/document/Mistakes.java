package dev.weir.config.internal.document;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The mistakes that files often have: what is written, and what was probably meant. The first row
 * that fits holds. {@code MistakesTest} has a file for each row. Misspelt words are not among them,
 * since {@link dev.weir.internal.Spelling} finds the nearest word.
 */
public final class Mistakes {

  /** The character at which the text stops being YAML. */
  public static final Mistakes NOT_YAML =
      new Mistakes(
          row("\t", "spaces, since YAML is not indented with tabs"),
          row("(?<=\\*)[.*/]", "quotes around what begins with *, as in '*.do'"),
          row("(?<=\\$)\\{", "\"${…}\" in quotes inside { } and [ ]"),
          row(
              "(?<=[^ \r\n])\\{",
              "quotes around what has { } in it, inside { } and [ ], as in \"/users/{id}\""));

  /** The rest of a limit, which a comma has ended inside { } and [ ]. */
  public static final Mistakes REST_OF_LIMIT =
      new Mistakes(
          row(
              "(?i)(burst|capacity|ttl|sub-windows)\\s.*",
              "quotes around the whole limit, as in \"20 per second, burst 40\""),
          row(
              "[0-9]{3}\\s*(per\\s|/).*",
              "a limit whose number has no commas, as in 1_000 per minute"));

  /** A limit that grants nothing. */
  public static final Mistakes NOTHING =
      new Mistakes(
          row(
              "0+(\\s*[A-Za-z]+)?\\s*(per\\b|/|concurrent).*",
              "deny: [192.0.2.0/24] in a rule, which refuses clients"));

  /** The rest of a list without brackets, which a comma has ended inside { }. */
  public static final Mistakes REST_OF_LIST =
      new Mistakes(
          row(
              "[0-9]{1,3}(\\.[0-9]{1,3}){3}(/[0-9]+)?|[0-9A-Fa-f:]*:[0-9A-Fa-f:]*(/[0-9]+)?",
              "[ ] around the list, as in [10.0.0.5, 192.0.2.7], since a comma ends the value"),
          row(
              "(?i)(mon|tue|wed|thu|fri|sat|sun)(-[a-z]{3})?\\s.*",
              "quotes around the whole range, as in \"Sat,Sun 10:00-16:00 Europe/Berlin\""));

  /** A list without brackets. */
  public static final Mistakes LIST =
      new Mistakes(
          row(".*,.*", it -> "[" + String.join(", ", it.group().split("\\s*,\\s*")) + "]"));

  /** A number with commas between its thousands. */
  public static final Mistakes NUMBER =
      new Mistakes(row("[0-9]{1,3}(,[0-9]{3})+", it -> it.group().replace(',', '_')));

  /** A word of other software for true or for false. */
  public static final Mistakes FLAG =
      new Mistakes(
          row("(?i)true|yes|on|y|1|enabled", "true"),
          row("(?i)false|no|off|n|0|disabled", "false"));

  /** A word for one of several choices. Drafts 8 to 10 have the fields of draft 11. */
  public static final Mistakes CHOICE = new Mistakes(row("draft-(8|9|10)", "draft-11"));

  /** A part of the subject. */
  public static final Mistakes SUBJECT =
      new Mistakes(
          row(
              "(header|query|cookie|path|attribute|session)\\s*[:=\\s]\\s*\\{?([A-Za-z0-9_.-]+)\\}?",
              it -> it.group(1) + ":" + it.group(2)),
          row("[Xx]-[A-Za-z0-9-]+", it -> "header:" + it.group()),
          row("user|username", "principal"),
          row("basic|basic-auth|basic:.*", "basic-user"));

  /** The statuses of a rule. */
  public static final Mistakes STATUSES =
      new Mistakes(
          row("([1-5])XX", it -> it.group(1) + "xx"),
          row(
              "([1-5][0-9]{2})(?:\\s*(?:\\.\\.\\.?|–|to)\\s*|\\s+-\\s*|-\\s+)([1-5][0-9]{2})",
              it -> it.group(1) + "-" + it.group(2)),
          row(
              "(?i)(?:not|except|all but|other than|\\^|~|-|!=|<>)\\s*([1-5][0-9]{2}|[1-5]xx)",
              it -> "!" + it.group(1)),
          row("(?i)(?:redirect\\s+|location[\\s:=]+)?(/\\S*)", it -> "redirect:" + it.group(1)));

  /** What becomes of a denied request. */
  public static final Mistakes ON_DENIAL = new Mistakes(row("delay.*", "delay up to 2s"));

  /** The ban of a rule. */
  public static final Mistakes BAN =
      new Mistakes(
          row(
              "(?i)(?!.*\\sdenials?\\s+in\\s)(.+?)\\s+after\\s+([0-9_]+)\\s*[a-z]*\\s*"
                  + "(?:\\bin|per|within|/)\\s*([0-9]+\\s*[a-z]+)",
              it -> it.group(1) + " after " + it.group(2) + " denials in " + it.group(3)),
          row(
              "(?i)([0-9_]+)\\s*[a-z]*\\s*(?:\\bin|per|within|/)\\s*([0-9]+\\s*[a-z]+?)\\s*"
                  + "(?:,|:|=>?|->|for|then)\\s*([0-9]+\\s*[a-z]+)",
              it -> it.group(3) + " after " + it.group(1) + " denials in " + it.group(2)));

  /** The limits of a tier. */
  public static final Mistakes TIER = new Mistakes(row("none|no|off|infinite", "unlimited"));

  /** A network of clients. */
  public static final Mistakes NETWORK =
      new Mistakes(
          row("localhost", "addresses such as 127.0.0.1 and ::1, for no name is looked up"));

  private final List<Row> rows;

  private Mistakes(Row... rows) {
    this.rows = List.of(rows);
  }

  /** One mistake. */
  record Row(Pattern written, Function<MatchResult, String> meant) {

    /** Returns what was meant by this region of a text, or empty if it is not this mistake. */
    Optional<String> meant(String text, int from, int to) {
      Matcher matcher = written.matcher(text).region(from, to).useTransparentBounds(true);
      return matcher.matches() ? Optional.of(meant.apply(matcher)) : Optional.empty();
    }
  }

  private static Row row(String written, String meant) {
    return row(written, it -> meant);
  }

  private static Row row(String written, Function<MatchResult, String> meant) {
    return new Row(Pattern.compile(written), meant);
  }

  List<Row> rows() {
    return rows;
  }

  /** Returns what was probably meant by this text. Empty if it is none of these mistakes. */
  public Optional<String> meant(String text) {
    return meant(text, 0, text.length());
  }

  Optional<String> meant(String text, int from, int to) {
    return rows.stream().flatMap(row -> row.meant(text, from, to).stream()).findFirst();
  }
}
