package com.example;

import dev.weir.http.RequestFunction;
import dev.weir.http.RequestView;
import java.util.Optional;

/** Counts users by their tenant: anna@acme is a user of acme. */
public final class TenantOfUser implements RequestFunction {

  @Override
  public Optional<String> apply(RequestView request) {
    return request
        .principal()
        .filter(user -> user.contains("@"))
        .map(user -> user.substring(user.lastIndexOf('@') + 1));
  }
}
