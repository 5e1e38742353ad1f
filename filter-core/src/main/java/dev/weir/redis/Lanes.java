package dev.weir.redis;

import dev.weir.redis.RedisUri.Host;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What lanes are made of, whatever the topology. */
record Lanes(Connector connector, Reports reports, Duration deadline, Probes probes) {

  /** A lane with a probe of its own. */
  Lane to(Host host, Function<Lane, @Nullable ScriptCall> probe) {
    return new Lane(host, connector, reports, deadline, probe);
  }
}
