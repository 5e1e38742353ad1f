package dev.weir.servlet;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A web application as a deployer leaves it on disk: a directory with a {@code web.xml}. */
record WebApp(Path directory) {

  private static final List<String> LIBRARIES =
      List.of(
          "weir-",
          "jedis",
          "commons-pool2",
          "json",
          "gson",
          "redis-authx",
          "bucket4j",
          "concurrency-limits",
          "ipaddress",
          "snakeyaml-engine",
          "jspecify",
          "slf4j-api");

  /** With the filter in front of everything and these init-params. */
  static WebApp in(Path directory, Map<String, String> initParams) {
    return in(directory, webXml(initParams));
  }

  static WebApp in(Path directory, String webXml) {
    return new WebApp(directory).with("WEB-INF/web.xml", webXml);
  }

  /** A {@code web.xml} with the filter in front of this servlet, which answers everything. */
  static String webXml(String servlet) {
    return """
        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="5.0" metadata-complete="true">
          <filter>
            <filter-name>weir</filter-name>
            <filter-class>dev.weir.servlet.RateLimitFilter</filter-class>
          </filter>
          <filter-mapping>
            <filter-name>weir</filter-name>
            <url-pattern>/*</url-pattern>
          </filter-mapping>
          <servlet>
            <servlet-name>all</servlet-name>
            <servlet-class>%s</servlet-class>
          </servlet>
          <servlet-mapping>
            <servlet-name>all</servlet-name>
            <url-pattern>/</url-pattern>
          </servlet-mapping>
          <welcome-file-list>
            <welcome-file>index.html</welcome-file>
          </welcome-file-list>
        </web-app>
        """
        .formatted(servlet);
  }

  /** The same, asynchronous, with the filter mapped to asynchronous dispatches too. */
  static String asyncWebXml(String servlet) {
    return webXml(servlet)
        .replace("</filter-class>", "</filter-class><async-supported>true</async-supported>")
        .replace("</servlet-class>", "</servlet-class><async-supported>true</async-supported>")
        .replace(
            "<url-pattern>/*</url-pattern>",
            "<url-pattern>/*</url-pattern>"
                + "<dispatcher>REQUEST</dispatcher><dispatcher>ASYNC</dispatcher>");
  }

  WebApp with(String file, String text) {
    try {
      Path path = directory.resolve(file);
      Files.createDirectories(path.getParent());
      Files.writeString(path, text);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** With the filter and all that it needs inside, as a deployer packs them. */
  WebApp withLibraries() throws IOException {
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (Files.isRegularFile(path) && isLibrary(path.getFileName().toString())) {
        copy(path, directory.resolve("WEB-INF/lib").resolve(path.getFileName()));
      } else if (Files.isDirectory(path.resolve("dev/weir"))) {
        copyAll(path, directory.resolve("WEB-INF/classes"));
      }
    }
    return this;
  }

  /** What no container brings, and tests do not. */
  private static boolean isLibrary(String jar) {
    return LIBRARIES.stream().anyMatch(jar::startsWith);
  }

  private static void copyAll(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
  }

  private static String webXml(Map<String, String> initParams) {
    return """
        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="5.0" metadata-complete="true">
          <filter>
            <filter-name>weir</filter-name>
            <filter-class>dev.weir.servlet.RateLimitFilter</filter-class>
            <async-supported>true</async-supported>
        %s
          </filter>
          <filter-mapping>
            <filter-name>weir</filter-name>
            <url-pattern>/*</url-pattern>
            <dispatcher>REQUEST</dispatcher>
            <dispatcher>FORWARD</dispatcher>
            <dispatcher>INCLUDE</dispatcher>
            <dispatcher>ERROR</dispatcher>
            <dispatcher>ASYNC</dispatcher>
          </filter-mapping>
          <servlet>
            <servlet-name>scenarios</servlet-name>
            <servlet-class>dev.weir.servlet.ScenarioServlet</servlet-class>
            <async-supported>true</async-supported>
          </servlet>
          <servlet-mapping>
            <servlet-name>scenarios</servlet-name>
            <url-pattern>/</url-pattern>
          </servlet-mapping>
          <error-page>
            <location>/error-page</location>
          </error-page>
        </web-app>
        """
        .formatted(
            initParams.entrySet().stream()
                .map(WebApp::initParam)
                .collect(Collectors.joining("\n")));
  }

  private static String initParam(Entry<String, String> param) {
    return "    <init-param><param-name>%s</param-name><param-value>%s</param-value></init-param>"
        .formatted(param.getKey(), param.getValue());
  }
}
