/** What all nodes together have decided, by rule, and how fast that grows. */
const RATE_MILLIS = 5000;
const OUTCOMES = {ALLOWED: 'allowed', DENIED: 'denied', BANNED: 'denied', SHADOW_DENIED: 'denied'};

export class Tally {
  #samples = [];

  /** Takes what the nodes say now. A rule has a row as soon as a node has the rule. */
  take(statuses) {
    const rows = new Map();
    const row = (name) => {
      if (!rows.has(name)) {
        rows.set(name, {name, limits: 'of an annotation', shadow: false, allowed: 0, denied: 0, delayed: 0, sources: new Map()});
      }
      return rows.get(name);
    };
    for (const {rules, decisions, delayed} of statuses) {
      rules.forEach(({name, limits, shadow}) => Object.assign(row(name), {limits, shadow}));
      for (const {rule, outcome, source, count} of decisions) {
        const counted = row(rule);
        counted[OUTCOMES[outcome]] += count;
        counted.sources.set(source, (counted.sources.get(source) ?? 0) + count);
      }
      Object.entries(delayed).forEach(([rule, count]) => { row(rule).delayed += count; });
    }
    this.#remember(rows, statuses.length);
  }

  /** Begins anew when another number of nodes answers: what a node counted before is no growth. */
  #remember(rows, nodes) {
    const now = performance.now();
    if (this.#samples.at(-1)?.nodes !== nodes) {
      this.#samples = [];
    }
    this.#samples.push({at: now, rows, nodes});
    while (this.#samples.length > 2 && this.#samples[1].at < now - RATE_MILLIS) {
      this.#samples.shift();
    }
  }

  /** The rules with most denials first, then by name. A shadow denies nothing. */
  get rows() {
    return [...(this.#samples.at(-1)?.rows.values() ?? [])]
      .sort((one, other) => denials(other) - denials(one) || one.name.localeCompare(other.name, 'en'));
  }

  /** How many a second of one outcome, of late; never negative, since a node may begin anew. */
  rate(row, outcome) {
    const [oldest, newest] = [this.#samples[0], this.#samples.at(-1)];
    const seconds = (newest.at - oldest.at) / 1000;
    return seconds === 0 ? 0 : Math.max(0, row[outcome] - (oldest.rows.get(row.name)?.[outcome] ?? 0)) / seconds;
  }
}

function denials({shadow, denied}) {
  return shadow ? 0 : denied;
}
