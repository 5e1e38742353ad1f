import {element} from './dom.js';

const PATIENCE_MILLIS = 2000;
const MISSES_UNTIL_GONE = 3;
const STORES = {
  REDIS: {state: 'redis', text: 'Redis decides'},
  LOCAL: {state: 'local', text: 'decides in process'},
};
const FACTS = [
  {id: 'breaker', label: word('breaker'), start: '–'},
  {id: 'liveNodes', label: word('live nodes'), start: '–'},
  {id: 'allowed', label: () => 'allowed', start: '0'},
  {id: 'denied', label: () => 'denied', start: '0'},
];
const GONE = {state: 'gone', text: 'does not answer'};

/** A node of the demo: where it is, what it last said of itself, and a card that shows this. */
export class Node {
  #status = null;
  #answeredAt = performance.now();
  #misses = 0;
  #lamp = element('p', {className: 'lamp', role: 'status'});
  #age = element('span', {className: 'age'});
  #facts = {};
  #answers = {allowed: 0, denied: 0, failed: 0};

  constructor(base) {
    this.base = base;
    this.name = base.port === '' ? base.host : base.port;
    this.card = this.#draw();
    this.show();
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

  /** What it last said; null before it has said anything. */
  get status() {
    return this.#status;
  }

  get decidesLocally() {
    return !this.#isGone && this.#status?.store === 'LOCAL';
  }

  /** One missed answer may be the fault of this page, which sends bursts over the same connections. */
  get #isGone() {
    return this.#status === null || this.#misses >= MISSES_UNTIL_GONE;
  }

  /** Counts an answer that this page got from the node. */
  add(kind) {
    this.#answers[kind]++;
    if (kind in this.#facts) {
      this.#facts[kind].textContent = this.#answers[kind];
    }
  }

  async refresh() {
    try {
      const response = await fetch(new URL('status', this.base),
        {cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(PATIENCE_MILLIS)});
      if (!response.ok) {
        throw new Error(`status ${response.status}`);
      }
      this.#status = await response.json();
      this.#answeredAt = performance.now();
      this.#misses = 0;
    } catch {
      this.#misses++;
    }
    this.show();
    return this.#status;
  }

  #draw() {
    const facts = element('dl');
    for (const {id, label, start} of FACTS) {
      this.#facts[id] = element('dd', {textContent: start});
      facts.append(element('dt', {}, label()), this.#facts[id]);
    }
    return element('article', {className: 'card node'},
      element('div', {className: 'card-head'}, element('h3', {textContent: `Node ${this.name}`}), this.#age, this.#lamp),
      facts);
  }

  /** Shows what it last said, and how old that is where a newer answer is missing. */
  show() {
    const isStale = this.#misses > 0 && this.#status !== null;
    const {state, text} = this.#isGone ? GONE : STORES[this.#status.store];
    const seconds = Math.round((performance.now() - this.#answeredAt) / 1000);
    this.card.classList.toggle('stale', isStale);
    this.#age.textContent = isStale ? `${seconds} s ago` : '';
    if (this.#lamp.textContent !== text) {
      this.#lamp.textContent = text;
      this.#lamp.dataset.state = state;
    }
    this.#facts.breaker.textContent = this.#status?.breaker?.toLowerCase().replace('_', ' ') ?? '–';
    this.#facts.liveNodes.textContent = this.#status?.liveNodes ?? '–';
  }
}

/** Makes links to what a word means. */
function word(text) {
  return () => element('a', {href: `#word-${text.replace(' ', '-')}`, textContent: text});
}
