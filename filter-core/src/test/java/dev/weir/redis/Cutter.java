package dev.weir.redis;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A counter of the requests about certain counters, over all proxies of a store, which decides at
 * which one to cut. If that cut kills the store's process, no further data pass until it is
 * revived.
 */
class Cutter {

  private final String mark;
  private final List<CuttingProxy> proxies = new ArrayList<>();
  private @Nullable Cut cut;
  private int requests;
  private boolean counting;
  private boolean hasCut;
  private boolean dead;

  /**
   * @param mark the text that a counted request contains
   */
  Cutter(String mark) {
    this.mark = mark;
  }

  synchronized CuttingProxy before(int port) {
    CuttingProxy proxy = new CuttingProxy(port, this);
    proxies.add(proxy);
    return proxy;
  }

  /** Starts a new count, and cuts there; nowhere, if it is null. */
  synchronized void arm(@Nullable Cut at) {
    cut = at;
    requests = 0;
    counting = true;
    hasCut = false;
    dead = false;
  }

  /** Stops counting, and lets everything pass. */
  synchronized void disarm() {
    counting = false;
    dead = false;
  }

  /** Returns how many requests there were. */
  synchronized int requests() {
    return requests;
  }

  synchronized boolean hasCut() {
    return hasCut;
  }

  /** Returns whether and how to cut at this request. */
  synchronized @Nullable Cut cutAt(String request) {
    if (dead) {
      return new Cut(requests, Cut.Where.BEFORE_REDIS_HAS_IT, Cut.Who.DIES);
    }
    if (!counting || !request.contains(mark)) {
      return null;
    }
    requests++;
    if (cut == null || cut.request() != requests) {
      return null;
    }
    hasCut = true;
    dead = cut.who() == Cut.Who.DIES;
    return cut;
  }

  synchronized void close() {
    proxies.forEach(CuttingProxy::close);
  }
}
