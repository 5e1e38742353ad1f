package dev.weir;

/** A store that passes all calls on to another one. A test overrides what it changes. */
public abstract class DelegatingStore implements LimitStore {

  protected final LimitStore store;

  protected DelegatingStore(LimitStore store) {
    this.store = store;
  }

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    return store.decide(request);
  }

  @Override
  public boolean adjust(Adjustment adjustment, Deadline deadline) throws StoreUnavailableException {
    return store.adjust(adjustment, deadline);
  }

  @Override
  public void close() {
    store.close();
  }
}
