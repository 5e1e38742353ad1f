import {byId, element} from './dom.js';

const MOST_ROWS = 6;

/** Shows the subjects that all nodes together have denied most of late. */
export function showTop(nodes) {
  const rows = counted(nodes.filter(({status}) => status !== null).map(({status}) => status));
  byId('top-none').hidden = rows.length > 0;
  byId('top').hidden = rows.length === 0;
  byId('top').tBodies[0].replaceChildren(...rows.slice(0, MOST_ROWS).map(line));
}

/** One row for each subject of a rule, the most denials first. */
function counted(statuses) {
  const rows = new Map();
  for (const {topDenied, rules} of statuses) {
    for (const [rule, subjects] of Object.entries(topDenied)) {
      const shadow = rules.some(({name, shadow}) => name === rule && shadow);
      for (const {tag, count, error} of subjects) {
        const key = `${rule} ${tag}`;
        const row = rows.get(key) ?? {rule, tag, shadow, count: 0, error: 0};
        rows.set(key, {...row, count: row.count + count, error: row.error + error});
      }
    }
  }
  return [...rows.values()].sort((one, other) => other.count - one.count || one.tag.localeCompare(other.tag, 'en'));
}

function line({rule, tag, shadow, count, error}) {
  return element('tr', {className: shadow ? 'shadow' : ''},
    element('th', {scope: 'row'}, rule, ' ', ...(shadow ? [element('span', {className: 'badge', textContent: 'shadow'})] : [])),
    element('td', {}, element('code', {textContent: tag})),
    element('td', {className: 'number denied'}, element('span', {textContent: count.toLocaleString('en')}),
      element('small', {textContent: error > 0 ? `at most ${error} too high` : ''})));
}
