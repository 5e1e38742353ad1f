package dev.weir.containers;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.handlers.accesslog.AccessLogHandler;
import io.undertow.server.handlers.resource.PathResourceManager;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.FilterInfo;
import io.undertow.servlet.api.ServletContainerInitializerInfo;
import io.undertow.servlet.api.ServletInfo;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContainerInitializer;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Runs a web application in Undertow, by its {@code web.xml}: Undertow reads none by itself. */
public final class UndertowMain {

  private UndertowMain() {}

  /** The directory of the application, and the port. */
  public static void main(String[] args) throws Exception {
    Path application = Path.of(args[0]);
    ClassLoader loader = loader(application);
    Thread.currentThread().setContextClassLoader(loader);
    DeploymentInfo info = deployment(application, loader);
    DeploymentManager manager = Servlets.defaultContainer().addDeployment(info);
    manager.deploy();
    Undertow.builder()
        .addHttpListener(Integer.parseInt(args[1]), "127.0.0.1")
        .setHandler(
            new AccessLogHandler(
                Handlers.path().addPrefixPath(info.getContextPath(), manager.start()),
                System.out::println,
                Container.accessLog("%%{r,%s}"),
                loader))
        .build()
        .start();
  }

  private static ClassLoader loader(Path application) throws IOException {
    List<URL> urls = new ArrayList<>();
    urls.add(application.resolve("WEB-INF/classes").toUri().toURL());
    try (Stream<Path> jars = Files.list(application.resolve("WEB-INF/lib"))) {
      for (Path jar : jars.toList()) {
        urls.add(jar.toUri().toURL());
      }
    }
    return new URLClassLoader(urls.toArray(URL[]::new), UndertowMain.class.getClassLoader());
  }

  private static DeploymentInfo deployment(Path application, ClassLoader loader) throws Exception {
    Element xml =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(application.resolve("WEB-INF/web.xml").toFile())
            .getDocumentElement();
    DeploymentInfo info =
        Servlets.deployment()
            .setClassLoader(loader)
            .setContextPath("/shop")
            .setDeploymentName("shop")
            .setResourceManager(new PathResourceManager(application));
    for (ServletContainerInitializer each :
        ServiceLoader.load(ServletContainerInitializer.class, loader)) {
      info.addServletContainerInitializer(
          new ServletContainerInitializerInfo(each.getClass(), Set.of()));
    }
    for (Element filter : children(xml, "filter")) {
      info.addFilter(filter(filter, loader));
    }
    for (Element mapping : children(xml, "filter-mapping")) {
      for (Element dispatcher : children(mapping, "dispatcher")) {
        info.addFilterUrlMapping(
            text(mapping, "filter-name"),
            text(mapping, "url-pattern"),
            DispatcherType.valueOf(dispatcher.getTextContent()));
      }
    }
    for (Element servlet : children(xml, "servlet")) {
      info.addServlet(servlet(servlet, children(xml, "servlet-mapping"), loader));
    }
    for (Element page : children(xml, "error-page")) {
      info.addErrorPage(Servlets.errorPage(text(page, "location")));
    }
    return info;
  }

  private static FilterInfo filter(Element filter, ClassLoader loader) throws Exception {
    FilterInfo info =
        Servlets.filter(
            text(filter, "filter-name"),
            loader.loadClass(text(filter, "filter-class")).asSubclass(Filter.class));
    for (Element param : children(filter, "init-param")) {
      info.addInitParam(text(param, "param-name"), text(param, "param-value"));
    }
    return info.setAsyncSupported(true);
  }

  private static ServletInfo servlet(Element servlet, List<Element> mappings, ClassLoader loader)
      throws Exception {
    String name = text(servlet, "servlet-name");
    ServletInfo info =
        Servlets.servlet(
            name, loader.loadClass(text(servlet, "servlet-class")).asSubclass(Servlet.class));
    mappings.stream()
        .filter(mapping -> text(mapping, "servlet-name").equals(name))
        .forEach(mapping -> info.addMapping(text(mapping, "url-pattern")));
    for (Element param : children(servlet, "init-param")) {
      info.addInitParam(text(param, "param-name"), text(param, "param-value"));
    }
    return info.setAsyncSupported(true);
  }

  private static List<Element> children(Element parent, String name) {
    NodeList nodes = parent.getElementsByTagName(name);
    return IntStream.range(0, nodes.getLength()).mapToObj(at -> (Element) nodes.item(at)).toList();
  }

  private static String text(Element parent, String name) {
    return children(parent, name).get(0).getTextContent();
  }
}
