package dev.weir.redis;

import dev.weir.internal.InvalidValueException;
import java.util.Objects;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The sockets for TLS by files that may change. They are read for each connection, and the sockets
 * are made again only if a text differs, so that TLS sessions can be resumed. It does not matter
 * whether a file was written, renamed or linked.
 */
final class RotatingCertificates implements Supplier<SSLSocketFactory> {

  private final PemFiles files;
  private PemFiles.@Nullable Content used;
  private @Nullable SSLSocketFactory sockets;

  RotatingCertificates(PemFiles files) {
    this.files = files;
  }

  /**
   * Returns the sockets by the present files.
   *
   * @throws InvalidValueException when the files are invalid
   */
  @Override
  public synchronized SSLSocketFactory get() {
    PemFiles.Content present = files.read();
    @Nullable SSLSocketFactory known = sockets;
    if (known != null && Objects.equals(used, present)) {
      return known;
    }
    SSLSocketFactory made = files.context(present).getSocketFactory();
    sockets = made;
    used = present;
    return made;
  }
}
