/** How answers fell into seconds over the last minute. */
export const BIN_MILLIS = 1000;
export const BINS = 60;
export const KINDS = ['allowed', 'denied', 'failed'];

export class Timeline {
  #newest = Timeline.#binNow();
  #bins = Array.from({length: BINS}, Timeline.#empty);
  totals = {allowed: 0, denied: 0, failed: 0};

  static #binNow() {
    return Math.floor(performance.now() / BIN_MILLIS);
  }

  static #empty() {
    return {allowed: 0, denied: 0, failed: 0, local: false};
  }

  add(kind) {
    this.advance();
    this.#bins[BINS - 1][kind]++;
    this.totals[kind]++;
  }

  /** Remembers whether a node decided in process, for the second that is now. */
  mark(local) {
    this.advance();
    this.#bins[BINS - 1].local = local;
  }

  /** Lets time pass. What held for the last second is taken to hold until told otherwise. */
  advance() {
    const now = Timeline.#binNow();
    const local = this.#bins[BINS - 1].local;
    const passed = Math.min(now - this.#newest, BINS);
    for (let i = 0; i < passed; i++) {
      this.#bins.shift();
      this.#bins.push({...Timeline.#empty(), local});
    }
    this.#newest = now;
  }

  series(kind) {
    return this.#bins.map((bin) => bin[kind]);
  }

  isLocal(bin) {
    return this.#bins[bin].local;
  }
}
