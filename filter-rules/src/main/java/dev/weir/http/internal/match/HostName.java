package dev.weir.http.internal.match;

import java.util.Locale;

/** The one spelling of a host that clients may spell in several ways. */
public final class HostName {

  /** The longest host name (RFC 1035, 2.3.4), without the dot at the end. */
  private static final int LONGEST_NAME = 253;

  private HostName() {}

  /**
   * Returns the host in lower case, without a port, and without the dot that ends a full domain
   * name. An IPv6 address keeps its brackets, and gets them where the server has removed them.
   * Empty if the host is too long for a name.
   */
  public static String canonical(String host) {
    int end = host.startsWith("[") ? host.indexOf(']') + 1 : host.indexOf(':');
    String withoutPort = end <= 0 ? host : host.substring(0, end);
    String name = isBareIpv6(host) ? "[" + host + "]" : withoutPort;
    if (name.endsWith(".")) {
      name = name.substring(0, name.length() - 1);
    }
    return name.length() > LONGEST_NAME ? "" : name.toLowerCase(Locale.ROOT);
  }

  /** Returns whether the host has more than one colon, and no bracket that ends the address. */
  public static boolean isBareIpv6(String host) {
    return !host.startsWith("[") && host.indexOf(':') != host.lastIndexOf(':');
  }
}
