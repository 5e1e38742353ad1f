package dev.weir.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate, made by the JDK's keytool: for servers, and for clients that trust it.
 *
 * @param store the certificate and its key
 */
public record TlsFiles(Path directory, KeyStore store) implements AutoCloseable {

  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final String ALIAS = "redis";

  /** Generates a certificate for a host with this name. */
  static TlsFiles generate(String host) throws IOException {
    return generateFor("dns:" + host);
  }

  /** Generates a certificate for this machine, by name and by address. */
  public static TlsFiles ofThisMachine() throws IOException {
    return generateFor("dns:localhost,ip:127.0.0.1");
  }

  private static TlsFiles generateFor(String names) throws IOException {
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
                "CN=weir",
                "-ext",
                "san=" + names,
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
    String reported = new String(keytool.getInputStream().readAllBytes(), US_ASCII);
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, PASSWORD);
      TlsFiles files = new TlsFiles(directory, store);
      files.write("CERTIFICATE", "cert.pem", store.getCertificate(ALIAS).getEncoded());
      files.write("PRIVATE KEY", "key.pem", store.getKey(ALIAS, PASSWORD).getEncoded());
      return files;
    } catch (GeneralSecurityException e) {
      throw new IOException(reported, e);
    }
  }

  /** Returns arguments for a server that speaks TLS alone. */
  List<String> serverArguments(int port) {
    List<String> arguments = new ArrayList<>(List.of("--port", "0"));
    arguments.addAll(tlsArguments(port));
    return arguments;
  }

  /** Returns arguments for a server that speaks TLS at this port, towards its peers too. */
  public List<String> tlsArguments(int port) {
    return List.of(
        "--tls-port", Integer.toString(port),
        "--tls-cert-file", directory.resolve("cert.pem").toString(),
        "--tls-key-file", directory.resolve("key.pem").toString(),
        "--tls-ca-cert-file", directory.resolve("cert.pem").toString(),
        "--tls-auth-clients", "no",
        "--tls-cluster", "yes",
        "--tls-replication", "yes");
  }

  /** Returns the system properties of a JVM that trusts this certificate. */
  public Map<String, String> trustProperties() {
    return Map.of(
        "javax.net.ssl.trustStore",
        directory.resolve("store.p12").toString(),
        "javax.net.ssl.trustStorePassword",
        new String(PASSWORD));
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
