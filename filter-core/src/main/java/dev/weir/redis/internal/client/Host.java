package dev.weir.redis.internal.client;

/**
 * A server: a host and its port.
 *
 * @param name a host name or an address, an IPv6 address without its brackets
 */
public record Host(String name, int port) {
  @Override
  public String toString() {
    return (name.indexOf(':') < 0 ? name : "[" + name + "]") + ":" + port;
  }
}
