package dev.weir;

import dev.weir.fixture.Spending;

/**
 * What a limit of {@value #CAPACITY} permits must have charged, in ticks that bring a bucket one
 * permit: from what was spent and when, and from nothing that a store keeps.
 */
public sealed interface ReservationModel {

  long CAPACITY = 50;

  /** How many permits are charged now, and it may be more than there are. */
  long charged(long now);

  /** The account of what it has granted, and of what is owed beyond. */
  Spending spending();

  /** More permits, granted or owed. */
  Spending.Item charge(long now, long permits);

  /** Of a grant, only so many were spent. */
  void settle(long now, Spending.Item grant, long spent);

  /** The most that may have been spent over so many ticks that end with a grant. */
  long most(long ticks);

  /** How long until so many permits fit, where that follows from what is charged. */
  long wait(long now, long permits);

  /** Time pays for what was spent; and of a grant it has paid for, that part is not given back. */
  final class Bucket implements ReservationModel {
    private final Spending spending = new Spending();
    private long debt;
    private long at;

    @Override
    public long charged(long now) {
      return Math.max(0, debt - (now - at));
    }

    @Override
    public Spending spending() {
      return spending;
    }

    @Override
    public Spending.Item charge(long now, long permits) {
      set(now, charged(now) + permits);
      return spending.add(now, permits);
    }

    @Override
    public void settle(long now, Spending.Item grant, long spent) {
      long unpaid = Math.max(0, grant.permits() - (now - grant.at));
      set(now, Math.max(0, charged(now) - Math.min(grant.permits() - spent, unpaid)));
      grant.spent(spent);
    }

    private void set(long now, long charged) {
      debt = charged;
      at = now;
    }

    @Override
    public long most(long ticks) {
      return CAPACITY + ticks;
    }

    @Override
    public long wait(long now, long permits) {
      return charged(now) + permits - CAPACITY;
    }
  }

  /** What was spent in the window that the first charge began. */
  sealed class Window implements ReservationModel {
    static final long LENGTH = 50;
    private final Spending spending = new Spending();
    long begun = -LENGTH;

    @Override
    public long charged(long now) {
      return now < begun + LENGTH ? spending.since(begun) : 0;
    }

    @Override
    public Spending spending() {
      return spending;
    }

    @Override
    public Spending.Item charge(long now, long permits) {
      if (now >= begun + LENGTH) {
        begun = now;
      }
      return spending.add(now, permits);
    }

    @Override
    public void settle(long now, Spending.Item grant, long spent) {
      grant.spent(spent);
    }

    @Override
    public long most(long ticks) {
      return Long.MAX_VALUE; // what is owed ends with its window
    }

    @Override
    public long wait(long now, long permits) {
      return begun + LENGTH - now;
    }
  }

  /** The same, but the window ends when nothing of it is spent any more. */
  final class EndingWindow extends Window {

    @Override
    public void settle(long now, Spending.Item grant, long spent) {
      super.settle(now, grant, spent);
      if (charged(now) == 0) {
        begun = -LENGTH;
      }
    }
  }

  /** What was spent in this sub-window and the ten before it. */
  final class Sliding implements ReservationModel {
    static final long SUB_WINDOW = 5;
    static final long LENGTH = 10 * SUB_WINDOW;
    private final Spending spending = new Spending();

    @Override
    public long charged(long now) {
      return spending.since(now - now % SUB_WINDOW - LENGTH);
    }

    @Override
    public Spending spending() {
      return spending;
    }

    @Override
    public Spending.Item charge(long now, long permits) {
      return spending.add(now, permits);
    }

    @Override
    public void settle(long now, Spending.Item grant, long spent) {
      grant.spent(spent);
    }

    @Override
    public long most(long ticks) {
      return ticks < LENGTH ? CAPACITY : Long.MAX_VALUE;
    }

    @Override
    public long wait(long now, long permits) {
      long wait = 1;
      while (charged(now + wait) + permits > CAPACITY) {
        wait++;
      }
      return wait;
    }
  }
}
