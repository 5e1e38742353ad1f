/**
 * Sends requests at an even rate, without waiting for answers, to the nodes in turn.
 *
 * Requests are due by the clock, not by the timer: when a timer comes late, as in a tab in the
 * background, all that is due goes out at once and the rate still holds on average.
 */
export class Burst {
  #controller = new AbortController();
  #order;
  #onAnswer;

  constructor(order, onAnswer) {
    this.#order = order;
    this.#onAnswer = onAnswer;
  }

  stop() {
    this.#controller.abort();
  }

  get stopped() {
    return this.#controller.signal.aborted;
  }

  /** Ends when the last answer has come, or when it was stopped. */
  async run() {
    const {count, rate} = this.#order;
    const start = performance.now();
    const underWay = [];
    for (let sent = 0; sent < count && !this.stopped; sent++) {
      await this.#until(start + (sent * 1000) / rate);
      if (!this.stopped) {
        underWay.push(this.#send(sent));
      }
    }
    await Promise.all(underWay);
  }

  #until(time) {
    const wait = time - performance.now();
    return wait <= 0 ? undefined : new Promise((resume) => {
      const timer = setTimeout(resume, wait);
      this.#controller.signal.addEventListener('abort', () => { clearTimeout(timer); resume(); }, {once: true});
    });
  }

  async #send(number) {
    const {route, key, nodes} = this.#order;
    const node = nodes[number % nodes.length];
    const headers = route.keyed && key !== '' ? {'X-API-Key': key} : {};
    const start = performance.now();
    const answer = {node, request: `${route.method} /${route.path}`, status: 0, fields: [], body: ''};
    try {
      const response = await fetch(new URL(route.path, node.base),
        {method: route.method, headers, cache: 'no-store', credentials: 'omit', signal: this.#controller.signal});
      answer.status = response.status;
      answer.fields = [...response.headers];
      answer.body = await response.text();
    } catch (problem) {
      if (this.stopped) {
        return;
      }
      answer.body = String(problem.message);
    }
    answer.tookMillis = performance.now() - start;
    this.#onAnswer(answer);
  }
}

/** What an answer means to the one who asked. */
export function kindOf(answer) {
  if (answer.status === 429 || answer.status === 503) {
    return 'denied';
  }
  return answer.status >= 200 && answer.status < 400 ? 'allowed' : 'failed';
}
