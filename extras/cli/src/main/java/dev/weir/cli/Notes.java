package dev.weir.cli;

import dev.weir.config.Configuration;
import dev.weir.redis.RedisOptions;
import java.util.List;
import java.util.Optional;

/** What an operator has to know beyond the answer. */
final class Notes {

  private Notes() {}

  /** Returns a line, if the tags here are not those of access logs. */
  static List<String> ofTags(RedisOptions options) {
    return options.hasSecret()
        ? List.of()
        : List.of("note: redis has no secret, so the tags in access logs are others");
  }

  /** Returns until when other nodes may decide by what they remember. */
  static Optional<String> ofOtherNodes(Configuration configuration) {
    return configuration
        .denyCache()
        .map(
            time ->
                "Nodes that remember a denial follow within "
                    + Words.time(time)
                    + " (deny-cache).");
  }
}
