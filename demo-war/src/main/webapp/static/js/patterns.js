import {byId} from './dom.js';
import {Picture} from './picture.js';

/** The kinds of limits, as the node names them, and their numbers in weir.yaml. */
const PATTERNS = [
  {id: 'token-bucket', name: 'Token bucket', limit: '4 per second, burst 8'},
  {id: 'fixed-window', name: 'Fixed window', limit: '8 per 2s window'},
  {id: 'sliding-window', name: 'Sliding window', limit: '8 per 2s sliding'},
  {id: 'leaky-bucket', name: 'Leaky bucket', limit: '4 per second, waits 2 s at most'},
  {id: 'concurrency', name: 'Concurrency', limit: '4 at once, for 500 ms each'},
];

/** Draws what each kind of limit lets through of one burst, while it happens. */
export function connectPatterns() {
  const pictures = new Map(PATTERNS.map((pattern) => [pattern.id, new Picture(pattern)]));
  byId('pictures').replaceChildren(...[...pictures.values()].map((picture) => picture.figure));
  byId('compare').addEventListener('click', () => compare(pictures));
}

async function compare(pictures) {
  byId('compare').disabled = true;
  say('Sending …');
  try {
    const response = await fetch('burst', {method: 'POST', headers: {'X-Weir-Demo': '1'}, cache: 'no-store', credentials: 'omit'});
    if (!response.ok) {
      say(refusal(response));
      return;
    }
    pictures.forEach((picture) => picture.clear());
    for await (const answer of lines(response.body)) {
      pictures.get(answer.pattern).add(answer);
    }
    say(conclusion(pictures));
  } catch (problem) {
    say(`Broken off: ${problem.message}`);
  } finally {
    byId('compare').disabled = false;
  }
}

function conclusion(pictures) {
  const peaks = PATTERNS.map(({id, name}) => [name.toLowerCase(), pictures.get(id).mostInOneSecond]);
  peaks.sort(([, one], [, other]) => other - one);
  return `Done. Most admitted within one second: ${peaks.map(([name, peak]) => `${name} ${peak}`).join(', ')}.`;
}

function refusal(response) {
  const retryAfter = response.headers.get('retry-after');
  return response.status === 429
    ? `Too many bursts: again in ${retryAfter} s.`
    : `The node answers ${response.status}.`;
}

function say(text) {
  byId('compare-summary').textContent = text;
}

/** Every line of a body as JSON, when it is there. */
async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const all = (rest + part.value).split('\n');
    rest = all.pop();
    yield* all.map((line) => JSON.parse(line));
  }
}
