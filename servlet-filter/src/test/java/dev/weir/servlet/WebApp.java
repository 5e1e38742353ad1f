package dev.weir.servlet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Map.Entry;
import java.util.stream.Collectors;

/** A web application as a deployer leaves it on disk: a directory with a {@code web.xml}. */
record WebApp(Path directory) {

  /** With the filter in front of everything and these init-params. */
  static WebApp in(Path directory, Map<String, String> initParams) {
    return in(directory, webXml(initParams));
  }

  static WebApp in(Path directory, String webXml) {
    return new WebApp(directory).with("WEB-INF/web.xml", webXml);
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
