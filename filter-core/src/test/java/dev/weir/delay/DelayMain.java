package dev.weir.delay;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;

/** The proxy as a process. It says its port, and ends when its input does. */
public final class DelayMain {

  private DelayMain() {}

  /** Before the host and port of the first two arguments, with the nanoseconds of the third. */
  @SuppressWarnings("SystemOut") // that is how it answers
  public static void main(String[] args) throws IOException {
    InetSocketAddress target = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
    try (DelayProxy proxy = DelayProxy.start(target, Long.parseLong(args[2]))) {
      System.out.println(proxy.port());
      System.in.transferTo(OutputStream.nullOutputStream());
    }
  }
}
