package dev.weir.config;

import dev.weir.config.internal.document.Node;
import dev.weir.config.internal.document.Problems;
import dev.weir.config.internal.read.Settings;
import dev.weir.redis.RedisOptions;

/**
 * The settings that a running engine cannot change: its connections, the names of its keys, its
 * listener.
 */
final class RestartOnly {

  private static final String EXPECTED = "what the application was started with, or a restart";

  private RestartOnly() {}

  /**
   * @throws ConfigurationException when any of these settings differs in the next configuration
   */
  static void refuse(Settings running, Settings next) {
    Problems problems = new Problems(next.name());
    if (!running
            .redis()
            .map(RedisOptions::application)
            .equals(next.redis().map(RedisOptions::application))
        && running.redis().isPresent() == next.redis().isPresent()) {
      problems.add(Node.Place.NONE, "application", "another name", EXPECTED);
    } else if (!running.redis().equals(next.redis())) {
      problems.add(Node.Place.NONE, "redis", "another one", EXPECTED);
    }
    if (!running.denyCache().equals(next.denyCache())) {
      problems.add(Node.Place.NONE, "redis.deny-cache", "another one", EXPECTED);
    }
    if (running.delays() != next.delays()) {
      problems.add(Node.Place.NONE, "delays", "another way", EXPECTED);
    }
    if (running.listener().getClass() != next.listener().getClass()) {
      problems.add(Node.Place.NONE, "listener", "another one", EXPECTED);
    }
    problems.throwIfAny();
  }
}
