package com.example;

import dev.weir.config.Weir;
import dev.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.component.LifeCycle;

/** A shop in Jetty 12 that weir.yaml in the working directory limits. */
public final class ShopServer {

  private ShopServer() {}

  public static void main(String[] args) throws Exception {
    Weir weir = Weir.open(Path.of("weir.yaml"));
    FilterHolder filter = new FilterHolder(new RateLimitFilter(weir));
    filter.setAsyncSupported(true);
    ServletContextHandler shop = new ServletContextHandler("/");
    shop.addFilter(filter, "/*", EnumSet.of(DispatcherType.REQUEST));
    shop.addServlet(new ServletHolder(new Hello()), "/*");
    Server server = new Server(8080);
    server.setHandler(shop);
    server.setStopAtShutdown(true); // a SIGTERM stops the server, and then Weir
    server.addEventListener(new Closing(weir));
    server.start();
    server.join();
  }

  /** Lets the other nodes know at once that this one has stopped. */
  private record Closing(Weir weir) implements LifeCycle.Listener {

    @Override
    public void lifeCycleStopped(LifeCycle server) {
      weir.close();
    }
  }

  private static final class Hello extends HttpServlet {

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().println("hello");
    }
  }
}
