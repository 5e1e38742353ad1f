import {element} from './dom.js';

const PATIENCE_MILLIS = 2000;
const STORES = {
  REDIS: {state: 'redis', text: 'Redis decides'},
  LOCAL: {state: 'local', text: 'decides in process'},
};
const FACTS = [['breaker', 'breaker', '–'], ['liveNodes', 'live nodes', '–'], ['allowed', 'allowed', '0'], ['denied', 'denied', '0']];
const GONE = {state: 'gone', text: 'does not answer'};

/** A node of the demo: where it is, what it last said of itself, and a card that shows this. */
export class Node {
  #status = null;
  #lamp = element('p', {className: 'lamp', role: 'status'});
  #facts = {};
  #answers = {allowed: 0, denied: 0, failed: 0};

  constructor(base) {
    this.base = base;
    this.name = base.port === '' ? base.host : base.port;
    this.card = this.#draw();
    this.#show();
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

  get status() {
    return this.#status;
  }

  get decidesLocally() {
    return this.#status?.store === 'LOCAL';
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
      this.#status = response.ok ? await response.json() : null;
    } catch {
      this.#status = null;
    }
    this.#show();
    return this.#status;
  }

  #draw() {
    const facts = element('dl');
    for (const [id, label, start] of FACTS) {
      this.#facts[id] = element('dd', {textContent: start});
      facts.append(element('dt', {textContent: label}), this.#facts[id]);
    }
    return element('article', {className: 'card node'},
      element('div', {className: 'card-head'}, element('h3', {textContent: `Node ${this.name}`}), this.#lamp),
      facts);
  }

  #show() {
    const lamp = this.#status === null ? GONE : STORES[this.#status.store];
    if (this.#lamp.textContent !== lamp.text) {
      this.#lamp.textContent = lamp.text;
      this.#lamp.dataset.state = lamp.state;
    }
    this.#facts.breaker.textContent = this.#status?.breaker?.toLowerCase().replace('_', ' ') ?? '–';
    this.#facts.liveNodes.textContent = this.#status?.liveNodes ?? '–';
  }
}
