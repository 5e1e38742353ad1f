package dev.weir.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.StringReader;
import java.util.List;

/** What a node says of itself at {@code /status}. */
record NodeStatus(JsonObject json) {

  static NodeStatus of(RawHttp node) {
    Answer answer = node.get("/status");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Type")).startsWith("application/json");
    return new NodeStatus(Json.createReader(new StringReader(answer.body())).readObject());
  }

  String store() {
    return json.getString("store");
  }

  int liveNodes() {
    return json.getInt("liveNodes");
  }

  /** How many decisions of a rule came out so, by that source. */
  long count(String rule, String outcome, String source) {
    return decisions().stream()
        .filter(decision -> decision.getString("rule").equals(rule))
        .filter(decision -> decision.getString("outcome").equals(outcome))
        .filter(decision -> decision.getString("source").equals(source))
        .mapToLong(decision -> decision.getJsonNumber("count").longValueExact())
        .sum();
  }

  List<JsonObject> decisions() {
    return json.getJsonArray("decisions").getValuesAs(JsonObject.class);
  }
}
