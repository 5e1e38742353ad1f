import {byId} from './dom.js';

const CONTROL = new URL('demo/redis', document.baseURI);
const ASK_MILLIS = 2000;
const LAMPS = {
  RUNNING: {state: 'redis', text: 'runs', next: ['freeze', 'kill']},
  FROZEN: {state: 'local', text: 'frozen', next: ['resume', 'kill']},
  STOPPED: {state: 'gone', text: 'stopped', next: ['start']},
};

/** Shows the buttons where there is a Redis to break: not in a container, and not for others. */
export async function connectRedis(status) {
  if (!status?.control || await ask({method: 'GET'}) === null) {
    return;
  }
  byId('redis').hidden = false;
  byId('redis-toggle').hidden = false;
  buttons().forEach((button) => button.addEventListener('click', () => act(button.dataset.action)));
  setInterval(() => ask({method: 'GET'}), ASK_MILLIS);
}

function buttons() {
  return [byId('redis-toggle'), ...byId('redis-actions').children];
}

async function act(action) {
  buttons().forEach((button) => { button.disabled = true; });
  await ask({method: 'POST', headers: {'X-Weir-Demo': '1'}}, `/${action}`);
}

async function ask(options, path = '') {
  try {
    const response = await fetch(CONTROL + path, {...options, cache: 'no-store'});
    if (options.method === 'GET' && !response.ok) {
      return null;
    }
    const answer = await response.json();
    show(answer);
    return answer;
  } catch {
    return null;
  }
}

function show({state, version, problem}) {
  const {text, next, state: lamp} = LAMPS[state];
  byId('redis-title').textContent = `Redis ${version}`;
  byId('redis-lamp').dataset.state = lamp;
  if (byId('redis-lamp').textContent !== text) {
    byId('redis-lamp').textContent = text;
  }
  byId('redis-problem').textContent = problem;
  const [first] = next;
  const toggle = byId('redis-toggle');
  toggle.dataset.action = first;
  toggle.textContent = `${first[0].toUpperCase()}${first.slice(1)} Redis`;
  buttons().forEach((button) => { button.disabled = !next.includes(button.dataset.action); });
}
