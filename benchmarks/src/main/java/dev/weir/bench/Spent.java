package dev.weir.bench;

/**
 * What Redis has spent up to a moment.
 *
 * @param cpuMicros its processor time
 * @param commands how many it has run
 */
public record Spent(double cpuMicros, long commands) {

  public Spent since(Spent before) {
    return new Spent(cpuMicros - before.cpuMicros, commands - before.commands);
  }
}
