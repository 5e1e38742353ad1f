package dev.weir.servlet;

import dev.weir.http.BodyBytes;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * A response that counts the bytes of its body where the application writes them. What is taken
 * back before it was sent is not counted: a reset, and all that an error page replaces. Such a page
 * the container writes past this.
 */
final class CountingResponse extends HttpServletResponseWrapper {

  private final BodyBytes bytes;
  private @Nullable ServletOutputStream stream;
  private @Nullable PrintWriter writer;

  CountingResponse(HttpServletResponse response, BodyBytes bytes) {
    super(response);
    this.bytes = bytes;
  }

  @Override
  public ServletOutputStream getOutputStream() throws IOException {
    ServletOutputStream known = stream;
    if (known == null) {
      known = new CountedStream(super.getOutputStream(), bytes);
      stream = known;
    }
    return known;
  }

  /** Characters go through the container's own writer, which encodes them as the response says. */
  @Override
  public PrintWriter getWriter() throws IOException {
    PrintWriter known = writer;
    if (known == null) {
      PrintWriter target = super.getWriter();
      known = new CountedWriter(target, Charset.forName(getCharacterEncoding()), bytes);
      writer = known;
    }
    return known;
  }

  @Override
  public void reset() {
    super.reset();
    bytes.forget();
    stream = null;
    writer = null;
  }

  @Override
  public void resetBuffer() {
    super.resetBuffer();
    bytes.forget();
  }

  @Override
  public void sendError(int status) throws IOException {
    super.sendError(status);
    bytes.forget();
  }

  @Override
  public void sendError(int status, String message) throws IOException {
    super.sendError(status, message);
    bytes.forget();
  }

  @Override
  public void sendRedirect(String location) throws IOException {
    super.sendRedirect(location);
    bytes.forget();
  }

  /** Counts what was written, blocking or not. What prints ends in one of its writes. */
  private static final class CountedStream extends ServletOutputStream {

    private final ServletOutputStream target;
    private final BodyBytes bytes;

    private CountedStream(ServletOutputStream target, BodyBytes bytes) {
      this.target = target;
      this.bytes = bytes;
    }

    @Override
    public void write(int octet) throws IOException {
      target.write(octet);
      bytes.add(1);
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
      target.write(octets, offset, length);
      bytes.add(length);
    }

    @Override
    public void flush() throws IOException {
      target.flush();
    }

    @Override
    public void close() throws IOException {
      target.close();
    }

    @Override
    public boolean isReady() {
      return target.isReady();
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      target.setWriteListener(listener);
    }
  }

  /** Encodes what it is given a second time, to nowhere, for the number of bytes. */
  private static final class CountedWriter extends PrintWriter {

    private final Writer tally;

    private CountedWriter(PrintWriter target, Charset charset, BodyBytes bytes) {
      super(target);
      this.tally = new OutputStreamWriter(bytes.counting(OutputStream.nullOutputStream()), charset);
    }

    @Override
    public void write(int character) {
      super.write(character);
      count(new char[] {(char) character}, 0, 1);
    }

    @Override
    public void write(char[] text, int offset, int length) {
      super.write(text, offset, length);
      count(text, offset, length);
    }

    @Override
    public void write(String text, int offset, int length) {
      super.write(text, offset, length);
      count(text.toCharArray(), offset, length);
    }

    /** As the one that is extended does it, but past none of the above. */
    @Override
    public void println() {
      write(System.lineSeparator());
    }

    private void count(char[] text, int offset, int length) {
      try {
        tally.write(text, offset, length);
        tally.flush();
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }
  }
}
