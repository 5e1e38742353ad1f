package dev.weir.demo.server;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * A handler that answers 403 to every request for a foreign host name: DNS rebinding resolves such
 * a name to this machine. It is outside the application, so a deployed WAR answers under any name.
 */
final class HostGuard extends Handler.Abstract {

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    if (LocalCaller.namesLoopback(request)) {
      return false;
    }
    response.setStatus(HttpStatus.FORBIDDEN_403);
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    String json = "{\"problem\":\"expected: localhost, 127.0.0.1 or [::1]\"}%n".formatted();
    Content.Sink.write(response, true, json, callback);
    return true;
  }
}
