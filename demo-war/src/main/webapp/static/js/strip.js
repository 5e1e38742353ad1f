import {byId, drawn} from './dom.js';
import {describe} from './history.js';

const LAMPS = {
  redis: 'Redis decides',
  local: 'Redis is out',
  alone: 'no Redis',
  gone: 'no answer',
};
const MINUTES = 10;

/** Shows at the top of the page what decides, and what decided in the last ten minutes. */
export function showStrip(history) {
  const {state} = history;
  const lamp = byId('lamp');
  if (lamp.dataset.state !== state) {
    lamp.dataset.state = state;
    lamp.textContent = LAMPS[state];
  }
  const story = tell(history);
  byId('outage').textContent = story;
  byId('history').setAttribute('aria-label', `What decided in the last ten minutes: ${story}`);
  byId('history').replaceChildren(...history.parts.map(part), ...marks());
}

/** The outage that lasts, or else the one that ended last. */
function tell({state, outages}) {
  if (state === 'alone') {
    return 'each node counts for itself';
  }
  return outages.length === 0 ? 'no outage so far' : describe(outages.at(-1));
}

function part({state, from, to}) {
  const width = Math.max(to - from, 0.002); // an outage of a second is still seen
  return drawn('rect', {'class': `was-${state}`, x: `${100 * (to - width)}%`, width: `${100 * width}%`, height: '100%'});
}

/** A line for each minute. */
function marks() {
  return Array.from({length: MINUTES - 1}, (_, i) => drawn('line',
    {x1: `${(100 * (i + 1)) / MINUTES}%`, x2: `${(100 * (i + 1)) / MINUTES}%`, y2: '100%'}));
}
