package dev.weir.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The standard streams, and the keyboard without echo. */
final class Terminal {

  private final PrintStream out =
      new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
  private final PrintStream err =
      new PrintStream(new FileOutputStream(FileDescriptor.err), true, UTF_8);
  private final InputStream in = new FileInputStream(FileDescriptor.in);
  private final BufferedReader lines = new BufferedReader(new InputStreamReader(in, UTF_8));
  private final @Nullable Console console = interactive();

  /** Returns the console, if a person sits at it. From Java 22 on there is one for a pipe too. */
  @SuppressWarnings("SystemConsoleNull") // what it is from Java 22 on is asked
  private static @Nullable Console interactive() {
    Console console = System.console();
    try {
      return console != null
              && Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console))
          ? console
          : null;
    } catch (ReflectiveOperationException before22) {
      return console;
    }
  }

  PrintStream out() {
    return out;
  }

  PrintStream err() {
    return err;
  }

  boolean isInteractive() {
    return console != null;
  }

  /**
   * Returns the next value from standard input. At a terminal it asks for the value, and does not
   * show what is typed.
   *
   * @param name what the value is, such as {@code header:x-api-key}
   * @throws Failure when there is none
   */
  String value(String name) {
    String value = console == null ? line() : typed(console, name);
    if (value == null || value.isEmpty()) {
      throw Failure.usage(name, "nothing", "its value on standard input, a line for each part");
    }
    return value;
  }

  private static @Nullable String typed(Console console, String name) {
    char[] typed = console.readPassword("%s: ", name);
    return typed == null ? null : new String(typed);
  }

  private @Nullable String line() {
    try {
      return lines.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns all of standard input. */
  String text() {
    StringBuilder text = new StringBuilder();
    for (String line = line(); line != null; line = line()) {
      text.append(line).append('\n');
    }
    return text.toString();
  }

  /**
   * Returns whether the user agrees.
   *
   * @throws Failure when nobody can be asked
   */
  boolean agrees(String question) {
    if (console == null) {
      throw Failure.usage("--yes", "nothing", "it, where no terminal can ask for a confirmation");
    }
    String answer = console.readLine("%s [y/N] ", question);
    return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
  }
}
