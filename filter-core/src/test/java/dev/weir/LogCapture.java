package dev.weir;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Captures what is logged to a logger while this is open. {@link System.Logger} writes to the JDK's
 * own logging.
 */
public final class LogCapture extends Handler implements AutoCloseable {

  private final Logger logger;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  public LogCapture(Class<?> source) {
    this(source.getName());
  }

  public LogCapture(String name) {
    logger = Logger.getLogger(name);
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  public List<LogRecord> records() {
    return records;
  }

  /** Messages, their parameters and the messages of exceptions. */
  public String text() {
    List<String> lines = new ArrayList<>();
    for (LogRecord record : records) {
      lines.add(record.getLoggerName() + " " + record.getMessage());
      if (record.getParameters() != null) {
        lines.add(List.of(record.getParameters()).toString());
      }
      for (Throwable thrown = record.getThrown(); thrown != null; thrown = thrown.getCause()) {
        lines.add(thrown.toString());
      }
    }
    return String.join("\n", lines);
  }

  @Override
  public void publish(LogRecord record) {
    records.add(record);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }
}
