package dev.weir.cli;

import dev.weir.config.Configuration;
import dev.weir.redis.RedisOptions;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.StoreUnavailableException;
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

  /** Returns a line if no node counts where this command looks. */
  static Optional<String> ofNodes(RedisSession session) {
    try {
      boolean isNobodyAlive = session.liveNodes().orElse(1) == 0;
      return isNobodyAlive
          ? Optional.of(
              "No node of application "
                  + session.options().application()
                  + " is alive in this Redis. If the application runs, its name, its Redis or its"
                  + " clock is another one.")
          : Optional.empty();
    } catch (StoreUnavailableException unknown) {
      return Optional.empty(); // what was decided or changed is reported all the same
    }
  }

  /** Returns a line if nothing is known of a client, which may be counted elsewhere. */
  static Optional<String> ofUnused(List<Verdict> states, RedisOptions options) {
    boolean isUnused =
        states.stream()
            .allMatch(
                state ->
                    state.remaining() == state.counter().limit().capacity()
                        && state.blockedFor().isEmpty());
    return isUnused
        ? Optional.of(
            "Nothing is counted for this client now. If it is denied at this moment, "
                + (options.hasSecret()
                    ? "the secret here is another one: compare the tag with that in the access log."
                    : "the application or Redis here is another one."))
        : Optional.empty();
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
