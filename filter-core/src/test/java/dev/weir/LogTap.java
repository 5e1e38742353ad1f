package dev.weir;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Hears all that is logged below a name while it is open. */
public final class LogTap extends Handler implements AutoCloseable {

  private final Logger logger;
  private final Level before;
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

  public static LogTap on(String name) {
    return new LogTap(Logger.getLogger(name));
  }

  private LogTap(Logger logger) {
    this.logger = logger;
    this.before = logger.getLevel();
    logger.setLevel(Level.ALL);
    logger.addHandler(this);
  }

  /** Messages, their parameters and the messages of exceptions. */
  public String text() {
    return String.join("\n", lines);
  }

  @Override
  public void publish(LogRecord entry) {
    lines.add(entry.getLoggerName() + " " + entry.getMessage());
    if (entry.getParameters() != null) {
      lines.add(List.of(entry.getParameters()).toString());
    }
    for (Throwable thrown = entry.getThrown(); thrown != null; thrown = thrown.getCause()) {
      lines.add(thrown.toString());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setLevel(before);
  }
}
