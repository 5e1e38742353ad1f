/** How many requests all nodes decided in each second, from the growth of their counters. */
export const SECONDS = 60;
export const KINDS = ['allowed', 'denied'];

/** The nodes are asked twice a second: by then what they counted in a second is known. */
const LAG_MILLIS = 600;

export class Traffic {
  #counted = new Map();
  #seconds = new Map();

  /** Takes what a node says. Its growth is spread over the time since it was last heard. */
  take({name, status, heardAt}) {
    const before = this.#counted.get(name);
    this.#counted.set(name, {heardAt, requests: status.requests});
    if (before === undefined || before.heardAt === heardAt) {
      return;
    }
    for (const kind of KINDS) {
      this.#spread(kind, status.requests[kind] - before.requests[kind], before.heardAt, heardAt);
    }
    this.#forget();
  }

  #spread(kind, growth, from, to) {
    if (growth <= 0) { // below zero, the node has begun anew
      return;
    }
    for (let second = Math.floor(from / 1000); second * 1000 < to; second++) {
      const part = Math.min(to, (second + 1) * 1000) - Math.max(from, second * 1000);
      const counts = this.#seconds.get(second) ?? {allowed: 0, denied: 0};
      counts[kind] += (growth * part) / (to - from);
      this.#seconds.set(second, counts);
    }
  }

  #forget() {
    for (const second of this.#seconds.keys()) {
      if (second < this.start - 1) {
        this.#seconds.delete(second);
      }
    }
  }

  /** The first of the seconds that are shown; the last one is over, and known. */
  get start() {
    return Math.floor((performance.now() - LAG_MILLIS) / 1000) - SECONDS;
  }

  /** One number for each second that is shown. */
  series(kind) {
    const {start} = this;
    return Array.from({length: SECONDS}, (_, i) => this.#seconds.get(start + i)?.[kind] ?? 0);
  }

  /** The sum of all nodes since they started. */
  total(kind) {
    return [...this.#counted.values()].reduce((sum, {requests}) => sum + requests[kind], 0);
  }
}
