package dev.weir.containers;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.gson.Gson;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Uses libraries that Weir uses too, by what their releases of 2012 to 2018 have of them. */
public final class OldLibrariesServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;
  private static final Logger LOGGER = LoggerFactory.getLogger("old.application");

  private final transient Cache<String, String> cache =
      Caffeine.newBuilder().maximumSize(10).build();

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    cache.put("path", request.getRequestURI());
    LOGGER.info("{} by {}", cache.getIfPresent("path"), Logger.class.getPackage().getName());
    response.getWriter().print(new Gson().toJson(List.of("served")));
  }
}
