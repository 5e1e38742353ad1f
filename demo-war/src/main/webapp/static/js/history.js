const KEPT_MILLIS = 10 * 60 * 1000;

/** A breaker opens after some calls have failed. What a node let in for them is of the outage. */
const LEAD_MILLIS = 5000;

/** What decided in the last ten minutes, and the outages of Redis, as this page saw them. */
export class History {
  #spans = [];
  #outages = [];

  /** How many had been let in in process, at times of the last seconds when Redis decided. */
  #lead = [];

  /** Takes what the nodes say now. One node that decides in process makes an outage. */
  take(nodes) {
    const now = performance.now();
    const state = ['local', 'redis', 'alone', 'gone'].find((any) => nodes.some((node) => node.state === any));
    this.#mark(state, nodes, now);
    const inProcess = nodes.reduce((sum, {status}) => sum + (status?.requests.allowedInProcess ?? 0), 0);
    const last = this.#outages.at(-1);
    const ongoing = last?.to === null ? last : null;
    if (state === 'local') {
      const outage = ongoing ?? this.#begin(now);
      outage.letIn = Math.max(0, inProcess - outage.before);
      outage.nodes = Math.max(...nodes.map(({status}) => status?.liveNodes ?? 1));
    } else if (state === 'redis' && ongoing !== null) {
      ongoing.letIn = Math.max(0, inProcess - ongoing.before);
      ongoing.to = this.#spans.at(-1).from;
      this.#lead = [];
    }
    if (state === 'redis') {
      this.#lead = [...this.#lead.filter(({at}) => at > now - LEAD_MILLIS), {at: now, inProcess}];
    }
  }

  /** A state reaches back to its beginning, as the node that is in it for longest says. */
  #mark(state, nodes, now) {
    const last = this.#spans.at(-1);
    if (last?.state === state) {
      last.to = now;
    } else {
      const since = nodes.filter((node) => node.state === state && state !== 'gone').map((node) => node.stateSince);
      const from = state === 'redis' ? Math.max(...since) : Math.min(now, ...since);
      const begin = Math.max(from, last?.from ?? now - KEPT_MILLIS);
      if (last !== undefined) {
        last.to = begin;
      }
      this.#spans.push({state, from: begin, to: now});
    }
    this.#spans = this.#spans.filter(({to}) => to > now - KEPT_MILLIS);
    this.#outages = this.#outages.filter(({to}) => to === null || to > now - KEPT_MILLIS);
  }

  #begin() {
    const before = this.#lead[0]?.inProcess ?? 0;
    const outage = {from: this.#spans.at(-1).from, to: null, before, letIn: 0, nodes: 1};
    this.#outages.push(outage);
    return outage;
  }

  /** The state now; undefined before any node was asked. */
  get state() {
    return this.#spans.at(-1)?.state;
  }

  /** What decided, from when until when, as parts of the ten minutes that end now. */
  get parts() {
    const start = performance.now() - KEPT_MILLIS;
    const part = (time) => Math.max(0, (time - start) / KEPT_MILLIS);
    return this.#spans.map(({state, from, to}) => ({state, from: part(from), to: part(to)}));
  }

  /** The outages, the latest last. While one lasts, its `to` is null. */
  get outages() {
    return this.#outages;
  }
}

/** An outage in one sentence: "Redis out 6.1 s · 14 let in by the share of 2 nodes". */
export function describe({from, to, letIn, nodes}) {
  const share = `the share of ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`;
  return to === null
    ? `Redis out for ${span(performance.now() - from, 0)} · ${letIn} let in by ${share}`
    : `Redis out ${span(to - from, 1)} · ${letIn} let in by ${share}`;
}

function span(millis, digits) {
  const seconds = millis / 1000;
  return seconds < 60
    ? `${seconds.toFixed(digits)} s`
    : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
