package dev.weir.bench;

import java.net.URL;
import java.security.CodeSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The versions of the measured and measuring libraries, taken from the names of their jars. */
final class Libraries {

  private static final Pattern VERSION = Pattern.compile(".*?-(\\d[^/]*)\\.jar$");

  private Libraries() {}

  static String versions() {
    Map<String, Class<?>> all = new LinkedHashMap<>();
    all.put("Jedis", redis.clients.jedis.RedisClient.class);
    all.put("Bucket4j", io.github.bucket4j.Bucket.class);
    all.put("Bucket4j Jedis", io.github.bucket4j.redis.jedis.Bucket4jJedis.class);
    all.put("Redisson", org.redisson.Redisson.class);
    all.put("Resilience4j", io.github.resilience4j.ratelimiter.RateLimiter.class);
    all.put("Caffeine", com.github.benmanes.caffeine.cache.Caffeine.class);
    all.put("Jetty", org.eclipse.jetty.server.Server.class);
    all.put("JMH", org.openjdk.jmh.annotations.Benchmark.class);
    return all.entrySet().stream()
        .map(one -> one.getKey() + " " + version(one.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String version(Class<?> type) {
    return Optional.ofNullable(type.getProtectionDomain().getCodeSource())
        .map(CodeSource::getLocation)
        .map(URL::getPath)
        .map(VERSION::matcher)
        .filter(Matcher::matches)
        .map(found -> found.group(1))
        .orElse("?");
  }
}
