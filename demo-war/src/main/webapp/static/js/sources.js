import {drawn, element} from './dom.js';

/** What makes decisions, in the words of the page, from the usual to the rare. */
const SOURCES = {
  REDIS: 'Redis',
  LEASE: 'token lease',
  DENY_CACHE: 'deny cache',
  LOCAL: 'in process',
  FAIL_OPEN: 'outage policy: allow',
  FAIL_CLOSED: 'outage policy: deny',
  RULE: 'the rule alone',
};

/** A bar of what made these decisions, each source with its part of the length. */
export function sourceBar(counts) {
  const sum = [...counts.values()].reduce((one, other) => one + other, 0);
  const parts = Object.keys(SOURCES).filter((source) => counts.get(source) > 0);
  const percent = (source) => (100 * counts.get(source)) / sum;
  const label = parts.map((source) => `${SOURCES[source]} ${Math.round(percent(source))} %`).join(', ');
  const bar = drawn('svg', {'class': 'bar', 'role': 'img', 'aria-label': label === '' ? 'no decision yet' : label});
  let x = 0;
  for (const source of parts) {
    bar.append(drawn('rect', {'class': `by-${source}`, x: `${x}%`, width: `${percent(source)}%`, height: '100%'}));
    x += percent(source);
  }
  bar.append(drawn('title', {}, label));
  return bar;
}

/** A legend of the sources that have made a decision. */
export function sourceLegend(seen) {
  return Object.keys(SOURCES).filter((source) => seen.has(source)).map((source) => element('li', {},
    drawn('svg', {'class': 'swatch', 'aria-hidden': 'true'}, drawn('rect', {'class': `by-${source}`, width: '100%', height: '100%'})),
    SOURCES[source]));
}
