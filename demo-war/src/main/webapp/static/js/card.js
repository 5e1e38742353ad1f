import {element} from './dom.js';

const LAMPS = {
  redis: 'Redis decides',
  local: 'in process',
  alone: 'in process',
  gone: 'does not answer',
};
const FACTS = [
  {label: word('breaker'), of: ({breaker}) => breaker.toLowerCase().replace('_', ' ')},
  {label: word('live nodes'), of: ({liveNodes}) => liveNodes},
  {label: word('round trip'), of: ({roundTripMillis: millis}) => (millis === undefined ? '–' : `${millis.toFixed(millis < 1 ? 2 : 1)} ms`)},
  {label: word('in flight'), of: ({inFlight}) => inFlight ?? '–'},
  {label: word('waiting'), of: ({waiting}) => waiting},
];

/** The card of a node. */
export class NodeCard {
  #node;
  #lamp = element('p', {className: 'lamp', role: 'status'});
  #age = element('span', {className: 'age'});
  #facts = FACTS.map(() => element('dd', {textContent: '–'}));

  constructor(node) {
    this.#node = node;
    this.card = element('article', {className: 'card node'},
      element('div', {className: 'card-head'}, element('h3', {textContent: `Node ${node.name}`}), this.#age, this.#lamp),
      element('dl', {}, ...FACTS.map(({label}, i) => element('div', {}, element('dt', {}, label()), this.#facts[i]))));
  }

  /** Shows what the node last said, and how old that is where a newer answer is missing. */
  show() {
    const {status, state, heardAt} = this.#node;
    const isStale = this.#node.isStale && status !== null;
    this.card.classList.toggle('stale', isStale);
    this.#age.textContent = isStale ? `${Math.round((performance.now() - heardAt) / 1000)} s ago` : '';
    if (this.#lamp.dataset.state !== state) {
      this.#lamp.dataset.state = state;
      this.#lamp.textContent = LAMPS[state];
    }
    if (status !== null) {
      FACTS.forEach(({of}, i) => { this.#facts[i].textContent = of(status); });
    }
  }
}

/** Makes links to what a word means. */
function word(text) {
  return () => element('a', {href: `#word-${text.replace(' ', '-')}`, textContent: text});
}
