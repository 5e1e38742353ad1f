package dev.weir.config;

import dev.weir.fixture.SnippetContract;

class RuleSnippetsTest extends SnippetContract {

  private static final String IMPORTS =
      """
      import dev.weir.config.*;
      import dev.weir.http.*;
      import dev.weir.limit.*;
      import dev.weir.redis.*;
      import dev.weir.store.*;
      import java.nio.file.Path;
      import java.time.Duration;
      import java.util.Map;
      """;

  RuleSnippetsTest() {
    super("filter-rules/src/main/java/dev/weir", IMPORTS, "", "Rule", "Weir", "WeirBuilder");
  }
}
