package com.example;

import dev.weir.config.Weir;
import dev.weir.http.OnDenial;
import dev.weir.http.OnDenial.Ban;
import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import dev.weir.redis.RedisOptions;
import java.util.Optional;

/** Rules for HTTP requests without a file. */
public final class RulesInCode {

  private RulesInCode() {}

  /** Starts the rules, whether Redis is up or down. Close what is returned in the end. */
  public static Weir start(String redisUri) {
    Rule login =
        Rule.builder("login")
            .match("POST /login")
            .limit("5 per minute")
            .count("401")
            .onDenial(OnDenial.REJECT.banning(Ban.parse("15m after 20 denials in 1m")))
            .build();
    Rule tenants =
        Rule.builder("tenants")
            .match("/api/**")
            .except("/api/health")
            .subject("tenant", RulesInCode::tenant)
            .limit("api", "20 per second, burst 40")
            .limit("day", "1000 per day window UTC")
            .build();
    return Weir.builder()
        .redis(RedisOptions.of(redisUri, "shop"))
        .nodes(2)
        .rule(login)
        .rule(tenants)
        .start();
  }

  /** Returns the tenant of the user that the container has authenticated: anna@acme is of acme. */
  private static Optional<String> tenant(RequestView request) {
    return request
        .principal()
        .filter(user -> user.contains("@"))
        .map(user -> user.substring(user.lastIndexOf('@') + 1));
  }
}
