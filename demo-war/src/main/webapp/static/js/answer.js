import {byId, element} from './dom.js';
import {kindOf} from './burst.js';

const FIRST = ['retry-after', 'ratelimit', 'ratelimit-policy', 'content-type', 'cache-control'];
const SPELLED = {'ratelimit': 'RateLimit', 'ratelimit-policy': 'RateLimit-Policy'};

let retryAt = 0;

/** Shows the answer that came last, the fields of the limit first. */
export function showAnswer(answer) {
  const status = byId('answer-status');
  byId('answer-none').hidden = true;
  byId('answer').hidden = false;
  status.textContent = answer.status === 0 ? 'none' : answer.status;
  status.dataset.kind = kindOf(answer);
  byId('answer-request').textContent = answer.request;
  byId('answer-took').textContent = `node ${answer.node.name}, ${answer.tookMillis.toFixed(0)} ms`;
  byId('answer-fields').replaceChildren(...[...answer.fields].sort(byWeight).map(row));
  byId('answer-body').textContent = readable(answer.body);
  const retryAfter = answer.fields.find(([name]) => name === 'retry-after');
  retryAt = retryAfter === undefined ? 0 : performance.now() + Number(retryAfter[1]) * 1000;
  showRetry();
}

/** Counts down what the last denial said; to be called every now and then. */
export function showRetry() {
  const left = Math.ceil((retryAt - performance.now()) / 1000);
  const text = retryAt === 0 ? '' : left > 0 ? `fits again in ${left} s` : 'fits again now';
  if (byId('retry').textContent !== text) {
    byId('retry').textContent = text;
  }
}

function byWeight([one], [other]) {
  return weight(one) - weight(other);
}

function weight(name) {
  const place = FIRST.indexOf(name);
  return place < 0 ? FIRST.length : place;
}

function row([name, value]) {
  const spelled = SPELLED[name] ?? name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
  return element('tr', {}, element('td', {textContent: spelled}), element('td', {textContent: value}));
}

function readable(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
