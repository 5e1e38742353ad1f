const HELD_MILLIS = 10_000;
const STEPS = [4, 6, 8, 10, 15, 20, 30, 40];

/** The top of an axis: a round number above all values, which sinks only after they stayed low. */
export class SteadyTop {
  #top = 0;
  #neededAt = 0;

  above(values, now = performance.now()) {
    const needed = SteadyTop.#round(Math.max(...values));
    if (needed >= this.#top) {
      this.#top = needed;
      this.#neededAt = now;
    } else if (now - this.#neededAt > HELD_MILLIS) {
      this.#top = needed;
    }
    return this.#top;
  }

  static #round(value) {
    for (let scale = 1; ; scale *= 10) {
      const top = STEPS.map((step) => step * scale).find((step) => step >= value);
      if (top !== undefined) {
        return top;
      }
    }
  }
}
