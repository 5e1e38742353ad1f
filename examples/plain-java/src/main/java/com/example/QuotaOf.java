package com.example;

import dev.weir.http.LimitFunction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import javax.naming.InitialContext;
import javax.sql.DataSource;

/** Reads the quota of a customer from a database, such as "50 per second, burst 100". */
public final class QuotaOf implements LimitFunction {

  @Override
  public String limitOf(String key) throws Exception {
    DataSource shop = InitialContext.doLookup("java:comp/env/jdbc/shop");
    String sql = "select quota from customer where api_key = ?";
    try (Connection connection = shop.getConnection();
        PreparedStatement query = connection.prepareStatement(sql)) {
      query.setQueryTimeout(5); // seconds; the driver needs a socket timeout, too
      query.setString(1, key);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? row.getString(1) : null; // null: the default numbers
      }
    }
  }
}
