package dev.weir;

import static java.util.function.Predicate.not;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Documents;
import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The BOM stands alone, so nothing but this keeps it with the artifacts that it lists. */
class BomTest {

  private static final String DEMO = "demo-war";

  private final XPath path = XPathFactory.newInstance().newXPath();

  @Test
  void lists_each_artifact_that_is_published() throws Exception {
    Document bom = pom("extras/bom");
    assertThat(texts(bom, "//dependency/artifactId"))
        .containsExactlyInAnyOrderElementsOf(modules());
  }

  @Test
  void has_their_version() throws Exception {
    assertThat(texts(pom("extras/bom"), "/project/version"))
        .isEqualTo(texts(pom("."), "/project/version"));
    assertThat(texts(pom("extras/bom"), "//dependency/version")).containsOnly("${project.version}");
  }

  private List<String> modules() throws Exception {
    List<String> names =
        texts(pom("."), "/project/modules/module").stream().filter(not(DEMO::equals)).toList();
    Stream.Builder<String> artifacts = Stream.builder();
    for (String name : names) {
      texts(pom(name), "/project/artifactId").forEach(artifacts);
    }
    return artifacts.build().toList();
  }

  private static Document pom(String folder) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(Documents.text(folder + "/pom.xml"))));
  }

  private List<String> texts(Document document, String expression) throws XPathExpressionException {
    NodeList nodes = (NodeList) path.evaluate(expression, document, XPathConstants.NODESET);
    return IntStream.range(0, nodes.getLength())
        .mapToObj(i -> nodes.item(i).getTextContent())
        .toList();
  }
}
