const PATIENCE_MILLIS = 2000;
const MISSES_UNTIL_GONE = 3;

/** A node of the demo: where it is, and what it last said of itself. */
export class Node {
  #misses = 0;

  /** What it last said; null before it has said anything. */
  status = null;

  /** When it said that. */
  heardAt = performance.now();

  constructor(base) {
    this.base = base;
    this.name = base.port === '' ? base.host : base.port;
  }

  /** The sister nodes of the page's own, which is the first one asked. */
  static async discover() {
    const own = new URL('.', document.baseURI);
    const ports = await new Node(own).refresh().then((status) => status?.ports ?? []);
    return ports.length === 0 ? [new Node(own)] : ports.map((port) => {
      const base = new URL(own);
      base.port = port;
      return new Node(base);
    });
  }

  /** Asks it once. One missed answer may be the fault of this page, whose bursts take the same way. */
  async refresh() {
    try {
      const response = await fetch(new URL('status', this.base),
        {cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(PATIENCE_MILLIS)});
      if (!response.ok) {
        throw new Error(`status ${response.status}`);
      }
      this.status = await response.json();
      this.heardAt = performance.now();
      this.#misses = 0;
    } catch {
      this.#misses++;
    }
    return this.status;
  }

  get isStale() {
    return this.#misses > 0;
  }

  get isGone() {
    return this.status === null || this.#misses >= MISSES_UNTIL_GONE;
  }

  /** What decides: `redis`; `local` while Redis is out, `alone` where there is none; or `gone`. */
  get state() {
    if (this.isGone) {
      return 'gone';
    }
    if (this.status.store === 'REDIS') {
      return 'redis';
    }
    return this.status.breaker === 'NONE' ? 'alone' : 'local';
  }

  /** Since when that has decided. */
  get stateSince() {
    return this.heardAt - this.status.storeMillis;
  }
}
