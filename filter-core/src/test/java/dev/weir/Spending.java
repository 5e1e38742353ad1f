package dev.weir;

import java.util.ArrayList;
import java.util.List;

/** What a counter's permits went to, and when: the account that a store's counters are held to. */
final class Spending {

  /** Permits taken at a time; fewer, once it is known that fewer were spent. */
  static final class Item {
    final long at;
    private long permits;

    private Item(long at, long permits) {
      this.at = at;
      this.permits = permits;
    }

    long permits() {
      return permits;
    }

    void spent(long spent) {
      permits = Math.min(permits, spent);
    }
  }

  private final List<Item> items = new ArrayList<>();

  Item add(long at, long permits) {
    Item item = new Item(at, permits);
    items.add(item);
    return item;
  }

  List<Item> items() {
    return items;
  }

  long since(long from) {
    return items.stream().filter(item -> item.at >= from).mapToLong(Item::permits).sum();
  }
}
