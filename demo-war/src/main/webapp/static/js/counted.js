import {byId, element} from './dom.js';
import {sourceBar, sourceLegend} from './sources.js';
import {Tally} from './tally.js';

const OUTCOMES = ['allowed', 'denied', 'delayed'];

const tally = new Tally();

/** Takes what the nodes have counted. */
export function count(nodes) {
  tally.take(nodes.map((node) => node.status).filter((status) => status !== null));
}

/** Shows what all nodes have counted together: a row for each rule. */
export function showCounted() {
  const seen = new Set(tally.rows.flatMap((row) => [...row.sources.keys()]));
  byId('counted-legend').replaceChildren(...sourceLegend(seen));
  byId('counted').tBodies[0].replaceChildren(...tally.rows.map(line));
}

function line(row) {
  return element('tr', {className: row.shadow ? 'shadow' : ''},
    element('th', {scope: 'row'},
      element('span', {}, ...breakable(row.name)),
      ...(row.shadow ? [element('span', {className: 'badge', textContent: 'shadow'})] : []),
      element('small', {textContent: row.limits})),
    ...OUTCOMES.map((outcome) => number(row, outcome)),
    element('td', {className: 'by'}, sourceBar(row.sources)));
}

function number(row, outcome) {
  const rate = tally.rate(row, outcome);
  const words = [row.shadow && outcome === 'denied' ? 'would deny' : '', rate > 0 ? `${rate.toFixed(1)}/s` : ''];
  return element('td', {className: `number ${row[outcome] > 0 ? outcome : 'none'}`},
    element('span', {textContent: row[outcome].toLocaleString('en')}),
    element('small', {textContent: words.join(' ').trim()}));
}

/** The name of an annotated method is long: a line may end at its dot. */
function breakable(name) {
  return name.split(/(?<=\.)/).flatMap((part, i) => (i === 0 ? [part] : [element('wbr'), part]));
}
