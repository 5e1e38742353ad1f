package com.example;

import dev.weir.config.Weir;
import dev.weir.servlet.RateLimitFilter;
import java.nio.file.Path;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A shop that weir.yaml in the working directory limits. */
@SpringBootApplication
@RestController
public class ShopApplication {

  public static void main(String[] args) {
    SpringApplication.run(ShopApplication.class, args);
  }

  @Bean // Spring closes it in the end
  Weir weir() {
    return Weir.open(Path.of("weir.yaml"));
  }

  @Bean
  FilterRegistrationBean<RateLimitFilter> rateLimit(Weir weir) {
    FilterRegistrationBean<RateLimitFilter> filter =
        new FilterRegistrationBean<>(new RateLimitFilter(weir));
    filter.addUrlPatterns("/*");
    filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return filter;
  }

  @GetMapping("/")
  String hello() {
    return "hello\n";
  }
}
