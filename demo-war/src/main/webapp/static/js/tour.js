import {byId} from './dom.js';
import {ROUTES} from './routes.js';

const SECONDS = 10;
const RATE = 8;
const STILL = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * Shows a first visitor something at once: ten seconds of requests, as long as no node has decided
 * anything. Where the system asks for less motion, it is only offered.
 */
export function offerTour(nodes, sender) {
  const isFresh = nodes.every(({status}) => status === null || status.requests.allowed + status.requests.denied === 0);
  if (!isFresh) {
    return;
  }
  byId('tour').hidden = false;
  byId('tour-start').addEventListener('click', () => run(nodes, sender));
  byId('tour-stop').addEventListener('click', () => sender.stop());
  byId('send').addEventListener('submit', () => { byId('tour').hidden = true; });
  if (STILL.matches) {
    say(`Nothing has been decided yet. Try ${SECONDS} seconds of requests.`, 'tour-start');
  } else {
    run(nodes, sender);
  }
}

async function run(nodes, sender) {
  say(`Try it: this page sends ${RATE} requests a second for ${SECONDS} seconds. The rule allows 2 a second, and a burst of 10.`, 'tour-stop');
  const sums = await sender.send({route: ROUTES[0], key: 'try it', count: SECONDS * RATE, rate: RATE, nodes});
  say(`That was ${sums}. Next: send a longer burst, and freeze Redis meanwhile.`, 'tour-start');
}

/** Shows one sentence, and the one button that fits. */
function say(text, button) {
  byId('tour-text').textContent = text;
  for (const id of ['tour-start', 'tour-stop']) {
    byId(id).hidden = id !== button;
  }
}
