package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The Java in the README is what a user types: it compiles. */
class ReadmeTest {

  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private static final String IMPORTS =
      """
      import dev.weir.*;
      import dev.weir.store.*;
      import dev.weir.jaxrs.*;
      import dev.weir.store.*;
      import jakarta.ws.rs.POST;
      import jakarta.ws.rs.core.Application;
      import java.util.Set;
      import org.glassfish.jersey.server.ResourceConfig;
      """;

  /** What the README takes for granted of its reader's application. */
  private static final String READERS_OWN =
      """
      class Logins {}
      class Session {}
      class Credentials {}
      """;

  @TestFactory
  Stream<DynamicTest> every_block_of_Java_compiles() throws IOException {
    List<String> snippets =
        BLOCK
            .matcher(Files.readString(Path.of("..", "README.md")))
            .results()
            .map(MatchResult::group)
            .map(block -> block.replace("```java\n", "").replace("```", ""))
            .flatMap(block -> Stream.of(block.split("\n\n")))
            .toList();
    assertThat(snippets).hasSizeGreaterThanOrEqualTo(4);
    return snippets.stream()
        .map(snippet -> DynamicTest.dynamicTest(firstLine(snippet), () -> assertCompiles(snippet)));
  }

  private static String firstLine(String snippet) {
    return snippet.lines().findFirst().orElseThrow();
  }

  private static void assertCompiles(String snippet) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter problems = new StringWriter();
    List<String> options =
        List.of("-proc:none", "-classpath", System.getProperty("java.class.path"), "-d", "target");
    boolean compiles =
        compiler
            .getTask(problems, null, null, options, null, List.of(source(whole(snippet))))
            .call();
    assertThat(compiles).as(problems.toString()).isTrue();
  }

  /** A class, a method of one, or statements of a method. */
  private static String whole(String snippet) {
    String typed = snippet.replace("{ … }", "{ return null; }");
    if (typed.startsWith("public class ")) {
      return typed.replaceFirst("public class", "class");
    }
    return typed.startsWith("@")
        ? "class Of { " + typed + " }"
        : "class Of { void it() throws Exception { " + typed + " } }";
  }

  private static JavaFileObject source(String types) {
    URI name = URI.create("string:///readme/Readme.java");
    return new SimpleJavaFileObject(name, JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return "package readme;\n" + IMPORTS + READERS_OWN + types;
      }
    };
  }
}
