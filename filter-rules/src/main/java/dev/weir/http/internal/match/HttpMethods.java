package dev.weir.http.internal.match;

import java.util.Set;

/**
 * The methods of the IANA HTTP Method Registry, which decide whether a pattern may name a method.
 */
public final class HttpMethods {

  private static final Set<String> REGISTERED =
      Set.of(
          """
          ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT CONNECT COPY DELETE GET HEAD LABEL LINK LOCK
          MERGE MKACTIVITY MKCALENDAR MKCOL MKREDIRECTREF MKWORKSPACE MOVE OPTIONS ORDERPATCH PATCH
          POST PROPFIND PROPPATCH PUT QUERY REBIND REPORT SEARCH TRACE UNBIND UNCHECKOUT UNLINK
          UNLOCK UPDATE UPDATEREDIRECTREF VERSION-CONTROL
          """
              .split("\\s+"));

  private HttpMethods() {}

  public static boolean isRegistered(String method) {
    return REGISTERED.contains(method);
  }
}
