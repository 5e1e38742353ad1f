package dev.weir.servlet;

import dev.weir.fixture.SnippetContract;

class FilterSnippetsTest extends SnippetContract {

  private static final String IMPORTS =
      """
      import dev.weir.config.*;
      import dev.weir.servlet.*;
      import jakarta.servlet.*;
      import jakarta.servlet.annotation.*;
      import java.nio.file.Path;
      import java.util.EnumSet;
      """;

  FilterSnippetsTest() {
    super(
        "servlet-filter/src/main/java/dev/weir",
        IMPORTS,
        "ServletContext context;\n",
        "RateLimitFilter");
  }
}
