package dev.weir.bench.peer;

import dev.weir.http.RuleListener;
import dev.weir.store.Source;

/** A listener that notes when Weir decides in process because Redis was too slow. */
public final class Outages implements RuleListener {

  /** Created by the configuration, which names this class. */
  public Outages() {}

  @Override
  public void onStoreSwitched(Source now, String why) {
    if (now == Source.LOCAL) {
      SeenOutages.add();
    }
  }
}
