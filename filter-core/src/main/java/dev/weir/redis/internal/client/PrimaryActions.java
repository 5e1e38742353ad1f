package dev.weir.redis.internal.client;

import dev.weir.redis.internal.script.ScriptCall;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The actions of the {@link CircuitBreaker} on the connections to its primary. */
final class PrimaryActions implements CircuitBreaker.Actions {

  private final PipelinedClient shared;
  private final List<DedicatedClient> dedicated;
  private final Supplier<@Nullable ScriptCall> writes;

  /**
   * @param writes a call that writes on this primary, null while there is none
   */
  PrimaryActions(
      PipelinedClient shared,
      List<DedicatedClient> dedicated,
      Supplier<@Nullable ScriptCall> writes) {
    this.shared = shared;
    this.dedicated = dedicated;
    this.writes = writes;
  }

  @Override
  public boolean probe() {
    @Nullable ScriptCall write = writes.get();
    if (write == null) {
      return false;
    }
    shared.connection().probe(write);
    return true;
  }

  @Override
  public void write() {
    @Nullable ScriptCall write = writes.get();
    if (write != null) {
      shared.connection().write(write);
    }
  }

  @Override
  public void failWaiting() {
    shared.connection().failWaiting();
    dedicated.forEach(DedicatedClient::failWaiting);
  }
}
