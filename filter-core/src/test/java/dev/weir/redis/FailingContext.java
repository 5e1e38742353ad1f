package dev.weir.redis;

import java.net.InetAddress;
import java.net.Socket;
import java.security.Provider;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/** TLS of an application that lacks a class when it connects. */
final class FailingContext extends SSLContext {

  FailingContext() {
    super(new Spi(), new Provider("weir-test", "1", "a provider with a defect") {}, "TLS");
  }

  private static NoClassDefFoundError planted() {
    return new NoClassDefFoundError("planted");
  }

  private static final class Factory extends SSLSocketFactory {

    @Override
    public String[] getDefaultCipherSuites() {
      return new String[0];
    }

    @Override
    public String[] getSupportedCipherSuites() {
      return new String[0];
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean isClosing) {
      throw planted();
    }

    @Override
    public Socket createSocket(String host, int port) {
      throw planted();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort) {
      throw planted();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
      throw planted();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) {
      throw planted();
    }
  }

  private static final class Spi extends SSLContextSpi {

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trusted, SecureRandom random) {}

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return new Factory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      throw planted();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      throw planted();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      throw planted();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      throw planted();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      throw planted();
    }
  }
}
