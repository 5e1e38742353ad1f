import {byId, choice, element} from './dom.js';
import {ROUTES} from './routes.js';

const IN_TURN = 'all';

const form = byId('send');

/** Offers the routes and the nodes, and sends what the visitor orders. */
export function connectForm(nodes, sender) {
  byId('routes').replaceChildren(...ROUTES.map(({id, method, path, limit}, i) => choice(
    {className: 'route', group: 'route', value: id, checked: i === 0},
    element('code', {textContent: `${method} /${path}`}), element('small', {textContent: limit}))));
  const all = nodes.length > 1 ? [[IN_TURN, nodes.length === 2 ? 'both in turn' : 'all in turn']] : [];
  byId('targets').replaceChildren(...[...all, ...nodes.map(({name}) => [name, name])].map(([value, text], i) => choice(
    {className: 'segment', group: 'target', value, checked: i === 0}, text)));
  form.addEventListener('change', showKey);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    sender.send(order(nodes));
  });
  byId('stop').addEventListener('click', () => sender.stop());
  showKey();
}

function order(nodes) {
  const {target, key, count, rate} = form.elements;
  return {
    route: route(),
    key: key.value.trim(),
    count: count.valueAsNumber,
    rate: rate.valueAsNumber,
    nodes: nodes.filter(({name}) => target.value === IN_TURN || name === target.value),
  };
}

function route() {
  return ROUTES.find(({id}) => id === form.elements.route.value);
}

function showKey() {
  byId('key-field').hidden = !route().keyed;
}
