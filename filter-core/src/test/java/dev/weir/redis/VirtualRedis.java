package dev.weir.redis;

import dev.weir.limit.Limit;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.EncodedLimit;
import dev.weir.redis.internal.script.Script;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore.Lending;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.util.SafeEncoder;

/**
 * A Redis with a given time: the production scripts' arithmetic, in a real server, over counters of
 * its own. It is used by one thread at a time.
 */
public final class VirtualRedis implements AutoCloseable {

  /** The most decisions in a batch, and the most batches in flight. */
  public static final int MOST_TOGETHER = 64;

  public static final int MOST_BATCHES = 4;

  private static final Script SCRIPT = Script.of("virtual");

  /** The prefix of a counter's state: the end of its leases and the permits that are out. */
  private static final String OUT = "^\\d+;~(\\d+):(\\d+):(\\d+);.*$";

  private static final int PATIENCE_MILLIS = 60_000;
  private static final long GRID_MICROS = 10_000;

  /** A step at a time, over one counter each. */
  public sealed interface Step {

    long atMicros();

    /** An exact decision. */
    record Decide(long atMicros, AcquireRequest request) implements Step {}

    /** A lease, which settles the one before. */
    record Lend(long atMicros, Charge most, Lending.Settlement settled) implements Step {}

    /** The end of a lease that is not renewed. */
    record End(long atMicros, Lending.Ending ending) implements Step {}
  }

  /** The reply to a step. */
  public sealed interface Reply {

    /** The reply to a {@link Step.Decide}. */
    record Decided(Decision decision) implements Reply {}

    /** The reply to all other steps. The end of a lease is one of no permits. */
    record Lent(Lending.Lease lease) implements Reply {}
  }

  private final Jedis redis;
  private final byte[] sha1;
  private final String hash = "virtual:" + UUID.randomUUID();
  private final Commands commands = Commands.byNodeTime(() -> Instant.EPOCH);

  public VirtualRedis(RedisServer server) {
    redis = server.client();
    redis.getConnection().setSoTimeout(PATIENCE_MILLIS);
    sha1 = redis.scriptLoad(SCRIPT.text()).getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Runs all of this in one call, in the order of its times. The end of a lease answers like a
   * request to lease 0 permits.
   */
  public List<Reply> run(List<Step> steps) {
    List<String> arguments = new ArrayList<>(16 * steps.size());
    for (Step step : steps) {
      if (step instanceof Step.Decide decide) {
        Charge charge = decide.request().charges().get(0);
        begin("d", decide.atMicros(), charge.counter(), arguments);
        add(charge.counter().limit(), charge.permits(), List.of(), arguments);
      } else if (step instanceof Step.Lend lend) {
        Counter counter = lend.most().counter();
        begin("a", lend.atMicros(), counter, arguments);
        addLease(counter.limit(), lend.most().permits(), lend.settled(), arguments);
      } else if (step instanceof Step.End end) {
        Lending.Ending ending = end.ending();
        begin("a", end.atMicros(), ending.counter(), arguments);
        addLease(ending.counter().limit(), 0, ending.settled(), arguments);
      }
    }
    List<List<Long>> replies = call(arguments);
    List<Reply> read = new ArrayList<>(steps.size());
    for (int i = 0; i < replies.size(); i++) {
      read.add(read(steps.get(i), replies.get(i)));
    }
    return read;
  }

  private void addLease(
      Limit limit, long permits, Lending.Settlement settled, List<String> arguments) {
    add(limit, permits, Commands.settlement(settled), arguments);
  }

  /** Adds the letter, the permits, those after them, and the numbers of the limit. */
  private void add(Limit limit, long permits, List<String> others, List<String> arguments) {
    EncodedLimit encoded = commands.encode(limit, 0);
    arguments.add(encoded.letter());
    arguments.add(Long.toString(permits));
    arguments.addAll(others);
    encoded.numbers().forEach(number -> arguments.add(Long.toString(number)));
  }

  private static void begin(String kind, long atMicros, Counter counter, List<String> arguments) {
    arguments.add(kind);
    arguments.add(Long.toString(atMicros));
    arguments.add(name(counter));
  }

  private static Reply read(Step step, List<Long> reply) {
    if (step instanceof Step.End end) {
      return new Reply.Lent(DecisionReply.lease(end.ending().counter(), reply));
    }
    if (step instanceof Step.Lend lend) {
      return new Reply.Lent(DecisionReply.lease(lend.most().counter(), reply));
    }
    AcquireRequest request = ((Step.Decide) step).request();
    DecisionReply answer = DecisionReply.of(request.charges(), reply);
    Receipt receipt = new Receipt(Source.REDIS, answer.grants());
    return new Reply.Decided(
        Decision.counted(Source.REDIS, answer.verdicts(), receipt, answer.delay()));
  }

  /** Returns how many permits of a counter are out, for all nodes. */
  public long out(Counter counter, long nowMicros) {
    String state = String.valueOf(redis.hget(hash, name(counter)));
    if (!state.matches(OUT)) {
      return 0;
    }
    long cell = Long.parseLong(state.replaceFirst(OUT, "$1"));
    long first = Long.parseLong(state.replaceFirst(OUT, "$2"));
    long second = Long.parseLong(state.replaceFirst(OUT, "$3"));
    long here = nowMicros / GRID_MICROS;
    return (here <= cell ? first : 0) + (here <= cell + 1 ? second : 0);
  }

  private static String name(Counter counter) {
    StringBuilder name = new StringBuilder(counter.name());
    for (Subject.Part part : counter.subject().parts()) {
      name.append(':').append(part.value());
    }
    return name.toString();
  }

  private List<List<Long>> call(List<String> arguments) {
    List<byte[]> sent = arguments.stream().map(SafeEncoder::encode).toList();
    Object reply = redis.evalsha(sha1, List.of(SafeEncoder.encode(hash)), sent);
    List<List<Long>> replies = new ArrayList<>();
    for (Object one : (List<?>) reply) {
      replies.add(((List<?>) one).stream().map(Long.class::cast).toList());
    }
    return replies;
  }

  @Override
  public void close() {
    redis.del(hash);
    redis.close();
  }
}
