package dev.weir.redis.internal.client;

import java.util.List;

/**
 * The commands that are written to a primary at once.
 *
 * @param parts one for each command; none in a batch that only checks a connection
 */
record Batch(List<SubBatch> parts, InFlightWindow.Ticket ticket) {

  Batch {
    parts = List.copyOf(parts);
  }

  long sentNanos() {
    return ticket.sentNanos();
  }
}
