package dev.weir.redis.internal.client;

import dev.weir.redis.internal.script.ScriptCall;
import java.util.List;

/** Takes what comes of calls that no thread waits for any longer. Thread-safe; returns at once. */
public interface LateReplies {

  /** A call was answered after its caller's deadline. */
  void addLate(ScriptCall call, List<Long> reply);

  /** A call was sent, and its reply will never come. */
  void addUnknown(ScriptCall call);
}
