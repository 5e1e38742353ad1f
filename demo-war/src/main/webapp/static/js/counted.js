import {byId, element} from './dom.js';

/** Shows what every node counted: a row for each rule, outcome and source, a column for each node. */
export function showCounted(nodes) {
  const rows = new Map();
  nodes.forEach((node, column) => {
    for (const {rule, outcome, source, count} of node.status?.decisions ?? []) {
      const name = JSON.stringify([rule, outcome, source]);
      const row = rows.get(name) ?? {cells: [rule, outcome.toLowerCase(), source.toLowerCase()], counts: nodes.map(() => 0)};
      row.counts[column] += count;
      rows.set(name, row);
    }
  });
  const table = byId('counted');
  table.tHead.replaceChildren(head(nodes));
  table.tBodies[0].replaceChildren(...[...rows.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => body(row)));
  if (rows.size === 0) {
    table.tBodies[0].append(element('tr', {}, element('td', {textContent: 'nothing yet', colSpan: 3 + nodes.length})));
  }
}

function head(nodes) {
  return element('tr', {},
    ...['Rule', 'Outcome', 'By'].map((textContent) => element('th', {scope: 'col', textContent})),
    ...nodes.map((node) => element('th', {scope: 'col', className: 'number', textContent: node.name})));
}

function body({cells, counts}) {
  return element('tr', {},
    ...cells.map((textContent) => element('td', {textContent})),
    ...counts.map((textContent) => element('td', {className: 'number', textContent})));
}
