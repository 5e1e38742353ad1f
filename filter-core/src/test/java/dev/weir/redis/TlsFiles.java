package dev.weir.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for one host, made by the JDK's keytool: for a server, and for clients that trust
 * it.
 */
record TlsFiles(Path directory, KeyStore store) implements AutoCloseable {

  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final String ALIAS = "redis";

  static TlsFiles generate(String host) throws IOException {
    Path directory = Files.createTempDirectory("weir-tls");
    Path file = directory.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-dname",
                "CN=" + host,
                "-ext",
                "san=dns:" + host,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), US_ASCII);
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, PASSWORD);
      TlsFiles files = new TlsFiles(directory, store);
      files.write("CERTIFICATE", "cert.pem", store.getCertificate(ALIAS).getEncoded());
      files.write("PRIVATE KEY", "key.pem", store.getKey(ALIAS, PASSWORD).getEncoded());
      return files;
    } catch (GeneralSecurityException e) {
      throw new IOException(said, e);
    }
  }

  /** Returns arguments for a server that speaks TLS alone. */
  List<String> serverArguments(int port) {
    return List.of(
        "--port", "0",
        "--tls-port", Integer.toString(port),
        "--tls-cert-file", directory.resolve("cert.pem").toString(),
        "--tls-key-file", directory.resolve("key.pem").toString(),
        "--tls-ca-cert-file", directory.resolve("cert.pem").toString(),
        "--tls-auth-clients", "no");
  }

  /** Returns a context that trusts only this certificate. */
  SSLContext trust() {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry(ALIAS, store.getCertificate(ALIAS));
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, factory.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot trust the certificate", e);
    }
  }

  @Override
  public void close() throws IOException {
    for (String name : List.of("store.p12", "cert.pem", "key.pem")) {
      Files.deleteIfExists(directory.resolve(name));
    }
    Files.delete(directory);
  }

  private void write(String type, String name, byte[] encoded) throws IOException {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    Files.writeString(
        directory.resolve(name),
        "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n");
  }
}
