package dev.weir.redis;

import dev.weir.fixture.Documents;
import java.util.stream.Stream;

/** The user that the page for operators says to create. */
final class DocumentedUser {

  private DocumentedUser() {}

  /** Returns the arguments of {@code ACL}, with a password of ours. */
  static String[] rights(String password) {
    String line =
        Documents.block("docs/redis.md", "redis-cli ACL SETUSER ")
            .replace("\\\n", " ")
            .replace("'", "");
    return Stream.of(("SETUSER " + line.strip()).split("\\s+"))
        .map(right -> right.equals(">password") ? ">" + password : right)
        .toArray(String[]::new);
  }
}
