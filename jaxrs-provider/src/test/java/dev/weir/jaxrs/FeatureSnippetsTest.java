package dev.weir.jaxrs;

import dev.weir.fixture.SnippetContract;

class FeatureSnippetsTest extends SnippetContract {

  private static final String IMPORTS =
      """
      import dev.weir.jaxrs.*;
      import jakarta.ws.rs.*;
      import jakarta.ws.rs.core.*;
      import java.util.Set;
      """;

  FeatureSnippetsTest() {
    super("jaxrs-provider/src/main/java/dev/weir", IMPORTS, "", "RateLimitFeature", "RateLimited");
  }
}
