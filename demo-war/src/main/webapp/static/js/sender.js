import {byId} from './dom.js';
import {Burst, kindOf} from './burst.js';
import {showAnswer} from './answer.js';

/** Sends one burst at a time. A further one ends the one before. */
export class Sender {
  #burst = null;

  /** Ends when the burst does; tells what became of its requests. */
  async send(order) {
    this.stop();
    const sums = {allowed: 0, denied: 0, failed: 0};
    const burst = new Burst(order, (answer) => {
      sums[kindOf(answer)]++;
      showAnswer(answer);
    });
    this.#burst = burst;
    byId('stop').disabled = false;
    say(`Sending ${order.count} to ${order.route.path} …`);
    await burst.run();
    if (this.#burst === burst) {
      this.#burst = null;
      byId('stop').disabled = true;
      say(`${burst.stopped ? 'Stopped' : 'Done'}: ${describe(sums)}.`);
    }
    return describe(sums);
  }

  stop() {
    this.#burst?.stop();
  }
}

function describe({allowed, denied, failed}) {
  return `${allowed} allowed, ${denied} denied${failed > 0 ? `, ${failed} failed` : ''}`;
}

function say(text) {
  byId('summary').textContent = text;
}
