package dev.weir.redis;

import dev.weir.internal.InvalidValueException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The files in PEM that TLS needs. They are read by what the JDK has: certificates in X.509, and a
 * private key in PKCS#8.
 *
 * @param authorities whose certificates servers must have; null for those that the JVM trusts
 * @param certificate the client's certificate, and those that lead from it to an authority
 * @param privateKey the key of the client's certificate
 */
record PemFiles(
    @Nullable SmallFile authorities,
    @Nullable SmallFile certificate,
    @Nullable SmallFile privateKey) {

  static final PemFiles NONE = new PemFiles(null, null, null);

  private static final Pattern BLOCK =
      Pattern.compile(
          "-----BEGIN (?<type>[A-Z0-9 ]+)-----(?<base64>[A-Za-z0-9+/=\\s]*)-----END \\k<type>-----");
  private static final Pattern ANY_BEGIN = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----");
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String KEY = "PRIVATE KEY";
  private static final String PKCS8 = "openssl pkcs8 -topk8 -nocrypt -in old.pem -out new.pem";

  /** The algorithms of keys that certificates have, and of a signature by each. */
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

  private static final char[] NO_PASSWORD = {};

  /** What the files contain. Two are equal if the files have the same text. */
  record Content(
      @Nullable String authorities, @Nullable String certificate, @Nullable String privateKey) {

    /** Returns no text, since it has a private key. */
    @Override
    public String toString() {
      return "Content";
    }
  }

  PemFiles withAuthorities(SmallFile file) {
    return new PemFiles(file, certificate, privateKey);
  }

  PemFiles withCertificate(SmallFile file) {
    return new PemFiles(authorities, file, privateKey);
  }

  PemFiles withPrivateKey(SmallFile file) {
    return new PemFiles(authorities, certificate, file);
  }

  Content read() {
    return new Content(read(authorities), read(certificate), read(privateKey));
  }

  private static @Nullable String read(@Nullable SmallFile file) {
    return file == null ? null : file.read();
  }

  /**
   * Makes what TLS needs of the content of these files.
   *
   * @throws InvalidValueException when a file has not what it should have, or the key is that of
   *     another certificate
   */
  SSLContext context(Content content) {
    try {
      @Nullable TrustManagerFactory trusted = null;
      if (authorities != null && content.authorities() != null) {
        trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(trusting(certificates(authorities, content.authorities())));
      }
      @Nullable KeyManagerFactory own = null;
      List<X509Certificate> chain = List.of();
      if (certificate != null && content.certificate() != null) {
        chain = certificates(certificate, content.certificate());
        requireChain(certificate, chain);
      }
      if (privateKey != null && content.privateKey() != null) {
        PrivateKey key = privateKey(privateKey, content.privateKey());
        if (!chain.isEmpty()) {
          requirePair(privateKey, key, chain.get(0));
          own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
          own.init(having(key, chain), NO_PASSWORD);
        }
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          own == null ? null : own.getKeyManagers(),
          trusted == null ? null : trusted.getTrustManagers(),
          null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JVM cannot use the files of TLS", e);
    }
  }

  private static KeyStore trusting(List<X509Certificate> certificates)
      throws GeneralSecurityException, IOException {
    KeyStore store = emptyStore();
    for (Certificate each : certificates) {
      store.setCertificateEntry("ca" + store.size(), each);
    }
    return store;
  }

  private static KeyStore having(PrivateKey key, List<X509Certificate> chain)
      throws GeneralSecurityException, IOException {
    KeyStore store = emptyStore();
    store.setKeyEntry("client", key, NO_PASSWORD, chain.toArray(new Certificate[0]));
    return store;
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static List<X509Certificate> certificates(SmallFile file, String text)
      throws GeneralSecurityException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> certificates = new ArrayList<>();
    for (Matcher block = BLOCK.matcher(text); block.find(); ) {
      if (block.group("type").endsWith(CERTIFICATE)) {
        InputStream encoded = new ByteArrayInputStream(decoded(block, file));
        try {
          certificates.add((X509Certificate) factory.generateCertificate(encoded));
        } catch (CertificateException broken) {
          throw file.failure("certificates in X.509");
        }
      }
    }
    long begun =
        ANY_BEGIN.matcher(text).results().filter(it -> it.group(1).endsWith(CERTIFICATE)).count();
    if (begun > certificates.size()) {
      throw file.failure("whole certificates in PEM, each from its BEGIN line to its END line");
    }
    if (certificates.isEmpty()) {
      throw file.failure("a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----");
    }
    return certificates;
  }

  /** Fails where the JDK's key store would refuse the certificates, since it names no file. */
  private static void requireChain(SmallFile file, List<X509Certificate> chain) {
    boolean isChain = new HashSet<>(chain).size() == chain.size();
    for (int i = 1; i < chain.size(); i++) {
      isChain &=
          Objects.equals(
              chain.get(i - 1).getIssuerX500Principal(), chain.get(i).getSubjectX500Principal());
    }
    if (!isChain) {
      throw file.failure(
          "the client's certificate, then each that signs the one before, each once");
    }
  }

  private static PrivateKey privateKey(SmallFile file, String text)
      throws GeneralSecurityException {
    for (Matcher block = BLOCK.matcher(text); block.find(); ) {
      if (block.group("type").equals(KEY)) {
        PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(decoded(block, file));
        for (String algorithm : SIGNATURES.keySet()) {
          try {
            return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
          } catch (GeneralSecurityException another) {
            // the key may be of the next algorithm
          }
        }
        throw file.failure("a key of RSA, EC or EdDSA in PKCS#8");
      }
    }
    Matcher begin = ANY_BEGIN.matcher(text);
    while (begin.find()) {
      if (begin.group(1).startsWith("ENCRYPTED") || text.contains("Proc-Type: 4,ENCRYPTED")) {
        throw file.failure("a key without a pass phrase, as '" + PKCS8 + "' writes it");
      }
      if (begin.group(1).equals(KEY)) {
        throw file.failure("a whole key in PEM, from its BEGIN line to its END line");
      }
      if (begin.group(1).endsWith(KEY)) {
        throw file.failure("a key in PKCS#8, as '" + PKCS8 + "' writes it");
      }
    }
    throw file.failure("a private key in PEM, which begins with -----BEGIN PRIVATE KEY-----");
  }

  private static byte[] decoded(Matcher block, SmallFile file) {
    try {
      return Base64.getMimeDecoder().decode(block.group("base64"));
    } catch (IllegalArgumentException broken) {
      throw file.failure("PEM, with whole lines of Base64");
    }
  }

  /** Fails unless the certificate's key verifies what the private key signs. */
  private static void requirePair(SmallFile file, PrivateKey key, Certificate certificate) {
    byte[] text = {1, 2, 3};
    try {
      Signature signature = Signature.getInstance(SIGNATURES.getOrDefault(key.getAlgorithm(), ""));
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(text);
      if (signature.verify(signed)) {
        return;
      }
    } catch (GeneralSecurityException otherAlgorithm) {
      // the certificate has a key of another algorithm
    }
    throw file.failure("the key of the first certificate in certificate-file");
  }
}
