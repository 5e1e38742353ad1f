package dev.weir.http.internal.client;

import java.util.List;

/**
 * The header fields of proxies. Anybody can send them, so none proves who the client is. Clients
 * that come straight have no reason to.
 */
public final class ForwardingHeaders {

  /** The fields in which proxies name the client. */
  public static final List<String> NAMING_THE_CLIENT =
      List.of(
          "X-Forwarded-For",
          "Forwarded",
          "X-Real-IP",
          "CF-Connecting-IP",
          "True-Client-IP",
          "CloudFront-Viewer-Address");

  /** Further fields that proxies add. Those with a dollar sign are of WebSphere's plug-in. */
  public static final List<String> OTHERS =
      List.of(
          "Via",
          "X-Forwarded",
          "X-Forwarded-By",
          "X-Forwarded-Host",
          "X-Forwarded-Port",
          "X-Forwarded-Prefix",
          "X-Forwarded-Proto",
          "X-Forwarded-Scheme",
          "X-Forwarded-Server",
          "X-Forwarded-Ssl",
          "X-Original-Forwarded-For",
          "X-Client-IP",
          "X-Cluster-Client-IP",
          "X-Envoy-External-Address",
          "X-Azure-ClientIP",
          "Fastly-Client-IP",
          "Proxy-Client-IP",
          "WL-Proxy-Client-IP",
          "X-Forwarded-Client-Cert",
          "X-Forwarded-Uri",
          "X-Original-Host",
          "X-Varnish",
          "X-Amzn-Trace-Id",
          "CDN-Loop",
          "Proxy-ip",
          "$WSRA",
          "$WSRH",
          "$WSSN",
          "$WSSP",
          "$WSSC",
          "$WSIS");

  private ForwardingHeaders() {}
}
