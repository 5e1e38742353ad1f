package dev.weir.containers;

import java.util.Map;
import java.util.stream.Collectors;

/** What an application writes into its {@code web.xml}. */
final class WebXml {

  private static final String FILTER =
      """
      <filter>
        <filter-name>%1$s</filter-name>
        <filter-class>%2$s</filter-class>
        <async-supported>true</async-supported>
        %3$s
      </filter>
      <filter-mapping>
        <filter-name>%1$s</filter-name>
        <url-pattern>/*</url-pattern>
        %4$s
      </filter-mapping>
      """;

  private static final String WEIR = "dev.weir.servlet.RateLimitFilter";

  private WebXml() {}

  /** Weir's filter in front of all requests. */
  static String filter(Map<String, String> params) {
    return filter("weir", WEIR, params);
  }

  /** Another one. */
  static String filter(String name, String className, Map<String, String> params) {
    return FILTER.formatted(name, className, params(params), "");
  }

  /** The same, in front of dispatches too. */
  static String filterOfDispatches(Map<String, String> params) {
    return FILTER.formatted(
        "weir",
        WEIR,
        params(params),
        """
        <dispatcher>REQUEST</dispatcher>
        <dispatcher>FORWARD</dispatcher>
        <dispatcher>INCLUDE</dispatcher>
        <dispatcher>ERROR</dispatcher>
        <dispatcher>ASYNC</dispatcher>
        """);
  }

  /** A servlet that starts with the application. */
  static String servlet(String name, String className, String pattern, Map<String, String> params) {
    return """
        <servlet>
          <servlet-name>%1$s</servlet-name>
          <servlet-class>%2$s</servlet-class>
          %4$s
          <load-on-startup>1</load-on-startup>
          <async-supported>true</async-supported>
        </servlet>
        <servlet-mapping>
          <servlet-name>%1$s</servlet-name>
          <url-pattern>%3$s</url-pattern>
        </servlet-mapping>
        """
        .formatted(name, className, pattern, params(params));
  }

  /** A whole file, with these lines in front of all others. */
  static String with(String lines, String webXml) {
    return webXml.replaceFirst("(?s)<web-app[^>]*>", "$0" + lines);
  }

  private static String params(Map<String, String> params) {
    return params.entrySet().stream()
        .map(
            it ->
                "<init-param><param-name>%s</param-name><param-value>%s</param-value></init-param>"
                    .formatted(it.getKey(), it.getValue()))
        .collect(Collectors.joining("\n"));
  }
}
