package dev.weir.redis.internal.client;

import dev.weir.redis.internal.script.ScriptCall;
import java.util.List;

/**
 * A receiver of late or unknown outcomes of calls that were sent, and of posted calls that were not
 * sent. Thread-safe; returns at once.
 */
public interface UnsettledCalls {

  /** Takes a reply that came after its caller's deadline. */
  void addLate(ScriptCall call, List<Long> reply);

  /** Takes a call that was sent, and will never have a reply. */
  void addUnknown(ScriptCall call);

  /** Takes a posted call that was not run. */
  void addUnsent(ScriptCall call);
}
