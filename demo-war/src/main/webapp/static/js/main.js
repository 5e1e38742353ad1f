import {byId} from './dom.js';
import {Node} from './nodes.js';
import {NodeCard} from './card.js';
import {KINDS, Traffic} from './traffic.js';
import {History} from './history.js';
import {TrafficChart} from './chart.js';
import {Sender} from './sender.js';
import {connectFolds} from './folds.js';
import {connectForm} from './form.js';
import {connectPatterns} from './patterns.js';
import {connectRedis} from './redis.js';
import {offerTour} from './tour.js';
import {showAbout} from './about.js';
import {count, showCounted} from './counted.js';
import {showRetry} from './answer.js';
import {showStrip} from './strip.js';
import {showTop} from './top.js';

const DRAW_MILLIS = 250;
const ASK_MILLIS = 500;
const TABLE_MILLIS = 1000;

Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
const traffic = new Traffic();
const history = new History();
const sender = new Sender();
const chart = new TrafficChart(byId('chart'), traffic, history);
connectFolds();
connectPatterns();

const nodes = await Node.discover();
const cards = nodes.map((node) => new NodeCard(node));
byId('nodes').replaceChildren(...cards.map(({card}) => card));
connectForm(nodes, sender);
await Promise.all(nodes.map(ask));
connectRedis(nodes[0].status);
nodes.forEach(keepAsking);
setInterval(draw, DRAW_MILLIS);
setInterval(showTables, TABLE_MILLIS);
draw();
showTables();
offerTour(nodes, sender);

async function ask(node) {
  await node.refresh();
  if (node.status !== null) {
    traffic.take(node);
    showAbout(node.status);
  }
  history.take(nodes);
  count(nodes);
}

/** Asks at even times, so that few answers lie across two seconds. No node delays another. */
async function keepAsking(node) {
  await ask(node);
  setTimeout(keepAsking, ASK_MILLIS - (performance.now() % ASK_MILLIS), node);
}

function showTables() {
  showCounted();
  showTop(nodes);
}

function draw() {
  chart.draw();
  showStrip(history);
  showRetry();
  cards.forEach((card) => card.show());
  byId('legend-out').hidden = history.outages.length === 0;
  for (const kind of KINDS) {
    byId(`total-${kind}`).textContent = traffic.total(kind).toLocaleString('en');
  }
}
