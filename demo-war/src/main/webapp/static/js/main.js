import {byId, choice, element} from './dom.js';
import {Burst, kindOf} from './burst.js';
import {KINDS, Timeline} from './timeline.js';
import {MovingChart} from './chart.js';
import {Node} from './nodes.js';
import {ROUTES} from './routes.js';
import {connectPatterns} from './patterns.js';
import {connectRedis} from './redis.js';
import {showAbout} from './about.js';
import {showAnswer, showRetry} from './answer.js';
import {showCounted} from './counted.js';

const DRAW_MILLIS = 250;
const ASK_MILLIS = 500;
const IN_TURN = 'all';

const form = byId('send');
const timeline = new Timeline();
const chart = new MovingChart(byId('chart'), timeline);
const nodes = await Node.discover();
let burst = null;

offerChoices();
form.addEventListener('submit', send);
form.addEventListener('change', showKey);
byId('stop').addEventListener('click', () => burst?.stop());
setInterval(draw, DRAW_MILLIS);
nodes.forEach(keepAsking);
connectPatterns();
connectRedis();

function offerChoices() {
  byId('routes').replaceChildren(...ROUTES.map(({id, method, path, limit}, i) => choice(
    {className: 'route', group: 'route', value: id, checked: i === 0},
    element('code', {textContent: `${method} /${path}`}), element('small', {textContent: limit}))));
  const targets = nodes.map((node) => [node.name, node.name]);
  const all = nodes.length > 1 ? [[IN_TURN, nodes.length === 2 ? 'both in turn' : 'all in turn']] : [];
  byId('targets').replaceChildren(...[...all, ...targets].map(([value, text], i) => choice(
    {className: 'segment', group: 'target', value, checked: i === 0}, text)));
  byId('nodes').replaceChildren(...nodes.map((node) => node.card));
  showKey();
}

function route() {
  return ROUTES.find(({id}) => id === form.elements.route.value);
}

function showKey() {
  byId('key-field').hidden = !route().keyed;
}

async function send(event) {
  event.preventDefault();
  burst?.stop();
  const target = form.elements.target.value;
  const order = {
    route: route(),
    key: form.elements.key.value.trim(),
    count: form.elements.count.valueAsNumber,
    rate: form.elements.rate.valueAsNumber,
    nodes: nodes.filter((node) => target === IN_TURN || node.name === target),
  };
  const sums = {allowed: 0, denied: 0, failed: 0};
  const own = new Burst(order, (answer) => {
    const kind = kindOf(answer);
    sums[kind]++;
    timeline.add(kind);
    answer.node.add(kind);
    showAnswer(answer);
  });
  burst = own;
  byId('stop').disabled = false;
  byId('summary').textContent = `Sending ${order.count} to ${order.route.path} …`;
  await own.run();
  draw();
  if (burst === own) {
    byId('stop').disabled = true;
    byId('summary').textContent = `${own.stopped ? 'Stopped' : 'Done'}: ${describe(sums)}.`;
  }
}

function describe({allowed, denied, failed}) {
  return `${allowed} allowed, ${denied} denied${failed > 0 ? `, ${failed} failed` : ''}`;
}

function draw() {
  chart.draw();
  showRetry();
  nodes.forEach((node) => node.show());
  for (const kind of KINDS) {
    byId(`total-${kind}`).textContent = timeline.totals[kind];
  }
  byId('chart').setAttribute('aria-label', `Answers per second over the last minute. So far: ${describe(timeline.totals)}.`);
}

/** A node that does not answer delays no other. */
async function keepAsking(node) {
  showAbout(await node.refresh());
  timeline.mark(nodes.some(({decidesLocally}) => decidesLocally));
  showCounted(nodes);
  setTimeout(keepAsking, ASK_MILLIS, node);
}
