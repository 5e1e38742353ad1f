package dev.weir.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A client that sends its requests byte for byte. Other clients normalise the paths, and refuse the
 * fields that an attacker would send.
 */
public final class RawHttp {

  private static final int TIMEOUT_MILLIS = 20_000;
  private static final String END_OF_LINE = "\r\n";

  private final URI base;

  public RawHttp(URI base) {
    this.base = base;
  }

  int port() {
    return base.getPort();
  }

  public Answer get(String path, String... fields) {
    return send("GET", path, fields);
  }

  public Answer post(String path, String... fields) {
    return send("POST", path, fields);
  }

  /** Sends one request on its own connection. Each field is one line as it stands. */
  public Answer send(String method, String path, String... fields) {
    return from("127.0.0.1", method, path, fields);
  }

  /** Sends one request from a given address of this machine. */
  public Answer from(String address, String method, String path, String... fields) {
    String head =
        method
            + " "
            + base.getRawPath()
            + path
            + " HTTP/1.1"
            + END_OF_LINE
            + (namesHost(fields) ? "" : host())
            + lines(fields);
    return exchange(address, method, head, "");
  }

  /** Posts a form. */
  public Answer postForm(String path, String form, String... fields) {
    String head = "POST " + base.getRawPath() + path + " HTTP/1.1" + END_OF_LINE + host();
    String type = "Content-Type: application/x-www-form-urlencoded" + END_OF_LINE;
    return exchange("127.0.0.1", "POST", head + type + lines(fields), form);
  }

  /** Posts a form whose length is not stated. */
  public Answer postChunkedForm(String path, String form) {
    String head = "POST " + base.getRawPath() + path + " HTTP/1.1" + END_OF_LINE + host();
    String fields =
        lines("Content-Type: application/x-www-form-urlencoded", "Transfer-Encoding: chunked");
    String chunk = Integer.toHexString(form.getBytes(UTF_8).length) + END_OF_LINE + form;
    return exchange("127.0.0.1", "", head + fields, chunk + END_OF_LINE + lines("0", ""));
  }

  private static boolean namesHost(String... fields) {
    return Arrays.stream(fields).anyMatch(line -> line.startsWith("Host:"));
  }

  private String host() {
    return "Host: " + base.getHost() + ":" + base.getPort() + END_OF_LINE;
  }

  private static String lines(String... fields) {
    return Arrays.stream(fields).map(line -> line + END_OF_LINE).collect(Collectors.joining());
  }

  private Answer exchange(String address, String method, String head, String body) {
    String length =
        method.equals("POST") || method.equals("PUT")
            ? "Content-Length: " + body.getBytes(UTF_8).length + END_OF_LINE
            : "";
    String request = head + length + "Connection: close" + END_OF_LINE + END_OF_LINE + body;
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
      socket.connect(new InetSocketAddress(base.getHost(), base.getPort()), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      socket.getOutputStream().flush();
      return read(socket.getInputStream(), method);
    } catch (IOException e) {
      throw new UncheckedIOException(method + " to " + base, e);
    }
  }

  private static Answer read(InputStream in, String method) throws IOException {
    String[] statusLine = line(in).split(" ", 3);
    if (statusLine.length < 2) {
      return new Answer(Answer.UNANSWERED, Map.of(), "");
    }
    Map<String, List<String>> fields = new LinkedHashMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      String[] field = line.split(":", 2);
      fields
          .computeIfAbsent(field[0].toLowerCase(Locale.ROOT), name -> new ArrayList<>())
          .add(field[1].strip());
    }
    return new Answer(Integer.parseInt(statusLine[1]), fields, body(in, method, fields));
  }

  private static String body(InputStream in, String method, Map<String, List<String>> fields)
      throws IOException {
    if (fields.containsKey("transfer-encoding")) {
      return new String(chunks(in), UTF_8);
    }
    if (method.equals("HEAD") || !fields.containsKey("content-length")) {
      return new String(in.readAllBytes(), UTF_8);
    }
    int length = Integer.parseInt(fields.get("content-length").get(0));
    return new String(in.readNBytes(length), UTF_8);
  }

  private static byte[] chunks(InputStream in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int size = chunkSize(in); size > 0; size = chunkSize(in)) {
      body.write(in.readNBytes(size));
      line(in);
    }
    return body.toByteArray();
  }

  private static int chunkSize(InputStream in) throws IOException {
    String line = line(in);
    return line.isEmpty() ? 0 : Integer.parseInt(line.split(";", 2)[0].strip(), 16);
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(ISO_8859_1);
  }
}
