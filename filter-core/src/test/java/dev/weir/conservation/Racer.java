package dev.weir.conservation;

import dev.weir.limit.Limit;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * One of the processes of {@link AtomicityTest}. It reports that it is ready and waits for a byte.
 * Then several threads request permits of two limits at once, until its input ends or it is killed.
 * All users share one limit, and each user has the other limit alone. A denied thread continues
 * with the next user, so that all threads race for the last permits of each limit.
 *
 * <p>It writes each answer as one byte, immediately. Answers that are written before a {@code kill
 * -9} are still read.
 */
final class Racer {

  static final int THREADS = 4;
  static final int COST = 3;

  /** 33 grants, and one permit that none can have. */
  static final Limit TIGHT = Limit.parse("1 per 30 days, burst 100");

  static final int READY = 'r';
  static final int GRANTED = '+';
  static final int DENIED = '-';

  /** It was not Redis that answered. */
  static final int SPOILED = '!';

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final LimitStore store;
  private final Limit wide;
  private final OutputStream answers = new FileOutputStream(FileDescriptor.out);
  private volatile boolean over;

  private Racer(LimitStore store, Limit wide) {
    this.store = store;
    this.wide = wide;
  }

  /** Arguments: the URI of Redis, and the limit that all users share. */
  public static void main(String[] args) throws IOException, InterruptedException {
    RedisOptions options = RedisOptions.of(args[0], "race").withDeadline(PATIENCE);
    try (LimitStore store = RedisLimitStore.connect(options, LimiterListener.NONE)) {
      Racer racer = new Racer(store, Limit.parse(args[1]));
      while (racer.request("warm-up", Mode.PEEK) == SPOILED) {
        Thread.onSpinWait();
      }
      racer.say(READY);
      if (System.in.read() >= 0) {
        racer.raceUntilInputEnds();
      }
    }
  }

  private void raceUntilInputEnds() throws IOException, InterruptedException {
    List<Thread> threads = Stream.generate(() -> new Thread(this::race)).limit(THREADS).toList();
    threads.forEach(Thread::start);
    while (System.in.read() >= 0) {
      Thread.onSpinWait();
    }
    over = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void race() {
    int user = 0;
    while (!over) {
      int answer = request("user-" + user, Mode.EXACTLY);
      say(answer);
      if (answer == DENIED) {
        user++;
      }
    }
  }

  private int request(String user, Mode mode) {
    List<Charge> charges =
        List.of(
            new Charge(new Counter("tight", TIGHT, Subject.of("user", user)), COST),
            new Charge(new Counter("wide", wide, Subject.global()), COST));
    try {
      AcquireRequest request =
          new AcquireRequest(charges, mode, OnOutage.DENY, Deadline.after(PATIENCE));
      return store.decide(request).allowed() ? GRANTED : DENIED;
    } catch (StoreUnavailableException gone) {
      return SPOILED;
    }
  }

  private void say(int answer) {
    try {
      answers.write(answer);
    } catch (IOException gone) {
      throw new UncheckedIOException("nobody listens", gone);
    }
  }
}
