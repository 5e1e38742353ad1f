package com.example;

import dev.weir.config.Weir;
import java.nio.file.Path;
import java.util.Arrays;

/** Lifts a ban on all nodes: {@code LiftBan /etc/shop/weir.yaml login 203.0.113.7}. */
public final class LiftBan {

  private LiftBan() {}

  public static void main(String[] args) throws Exception {
    try (Weir weir = Weir.open(Path.of(args[0]))) {
      weir.liftBan(args[1], Arrays.copyOfRange(args, 2, args.length));
    }
  }
}
