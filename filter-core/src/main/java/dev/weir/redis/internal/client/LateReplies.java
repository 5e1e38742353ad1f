package dev.weir.redis.internal.client;

import dev.weir.redis.internal.script.ScriptCall;
import java.util.List;

/**
 * Takes what is known too late, or never, of calls that were sent, and posted calls that were not.
 * Thread-safe; returns at once.
 */
public interface LateReplies {

  /** A call was answered after its caller's deadline. */
  void addLate(ScriptCall call, List<Long> reply);

  /** A call was sent, and its reply will never come. */
  void addUnknown(ScriptCall call);

  /** A call that no thread waits for was not run. */
  void addUnsent(ScriptCall call);
}
