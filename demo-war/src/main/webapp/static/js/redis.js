import {byId} from './dom.js';

const CONTROL = new URL('demo/redis', document.baseURI);
const LAMPS = {
  RUNNING: {state: 'redis', text: 'runs', actions: ['freeze', 'kill']},
  FROZEN: {state: 'local', text: 'frozen', actions: ['resume', 'kill']},
  STOPPED: {state: 'gone', text: 'stopped', actions: ['start']},
};

/** Shows the buttons where there is a Redis to break: not in a container, and not for others. */
export async function connectRedis() {
  const known = await ask({method: 'GET'});
  if (known === null) {
    return;
  }
  byId('redis').hidden = false;
  byId('redis-actions').addEventListener('click', ({target}) => act(target.dataset.action));
  setInterval(() => ask({method: 'GET'}), 2000);
}

async function act(action) {
  if (action === undefined) {
    return;
  }
  for (const button of byId('redis-actions').children) {
    button.disabled = true;
  }
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
  const {text, actions, state: lamp} = LAMPS[state];
  byId('redis-title').textContent = `Redis ${version}`;
  byId('redis-lamp').dataset.state = lamp;
  if (byId('redis-lamp').textContent !== text) {
    byId('redis-lamp').textContent = text;
  }
  byId('redis-problem').textContent = problem;
  for (const button of byId('redis-actions').children) {
    button.disabled = !actions.includes(button.dataset.action);
  }
}
