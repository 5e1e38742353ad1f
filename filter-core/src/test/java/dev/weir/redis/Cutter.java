package dev.weir.redis;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests about certain counters, over all proxies of a store, and says at which one to
 * cut. When the store's process is to die by that, nothing passes any more until it is revived.
 */
final class Cutter {

  private final String mark;
  private final List<CuttingProxy> proxies = new ArrayList<>();
  private @Nullable Cut cut;
  private int requests;
  private boolean counting;
  private boolean hasCut;
  private boolean dead;

  /**
   * @param mark what a request holds that counts
   */
  Cutter(String mark) {
    this.mark = mark;
  }

  synchronized CuttingProxy before(int port) {
    CuttingProxy proxy = new CuttingProxy(port, this);
    proxies.add(proxy);
    return proxy;
  }

  /** Counts anew, and cuts there; nowhere, if it is null. */
  synchronized void arm(@Nullable Cut at) {
    cut = at;
    requests = 0;
    counting = true;
    hasCut = false;
    dead = false;
  }

  /** Counts no more, and lets everything pass. */
  synchronized void disarm() {
    counting = false;
    dead = false;
  }

  /** How many requests there were. */
  synchronized int requests() {
    return requests;
  }

  synchronized boolean hasCut() {
    return hasCut;
  }

  /** Whether and how to cut at this request. */
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
