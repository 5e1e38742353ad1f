import {element} from './dom.js';

const SECONDS = 5;
const MOST = 40;
const DARK = matchMedia('(prefers-color-scheme: dark)');

/** What one limit did with one burst: the sum that was sent, the sum admitted, and each denial. */
export class Picture {
  #chart;
  #counts = element('p', {className: 'counts'});
  #sent = [];
  #admitted = [];
  #denied = [];

  constructor({id, name, limit}) {
    const canvas = element('canvas', {role: 'img', ariaLabel: `${name}: requests admitted over time`});
    this.figure = element('figure', {className: 'picture', id: `picture-${id}`},
      element('figcaption', {}, name, element('small', {textContent: limit})),
      element('div', {className: 'drawing'}, canvas),
      this.#counts);
    this.#chart = new Chart(canvas, {
      data: {
        datasets: [
          {type: 'line', stepped: true, pointRadius: 0, borderWidth: 2.5, order: 1},
          {type: 'line', stepped: true, pointRadius: 0, borderWidth: 1, order: 2},
          {type: 'scatter', clip: false, pointStyle: 'crossRot', pointRadius: 3, borderWidth: 1.5, order: 3},
        ],
      },
      options: Picture.#options(),
    });
    this.#paint();
    DARK.addEventListener('change', () => this.#paint());
    this.clear();
  }

  clear() {
    this.#sent = [];
    this.#admitted = [];
    this.#denied = [];
    this.#draw();
  }

  add({sent, at, status}) {
    this.#sent.push(sent / 1000);
    (status === 200 ? this.#admitted : this.#denied).push(at / 1000);
    this.#draw();
  }

  /** The most that it admitted within one second, whenever that began. */
  get mostInOneSecond() {
    return Math.max(0, ...this.#admitted.map((start) => this.#admitted.filter((at) => at >= start && at < start + 1).length));
  }

  #draw() {
    const [admitted, sent, denied] = this.#chart.data.datasets;
    admitted.data = sums(this.#admitted);
    sent.data = sums(this.#sent);
    denied.data = this.#denied.map((x) => ({x, y: 0}));
    this.#chart.update('none');
    this.#counts.textContent = `${this.#admitted.length} admitted, ${this.#denied.length} denied`;
  }

  static #options() {
    return {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      events: [],
      plugins: {legend: {display: false}, tooltip: {enabled: false}},
      scales: {
        x: {type: 'linear', min: 0, max: SECONDS, grid: {display: false}, ticks: {stepSize: 1, maxRotation: 0, callback: (second) => `${second} s`}},
        y: {min: 0, max: MOST, border: {display: false}, ticks: {stepSize: 10}},
      },
    };
  }

  /** Takes the page's colours, which follow the system's. */
  #paint() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const [admitted, sent, denied] = this.#chart.data.datasets;
    admitted.borderColor = colour('allowed');
    sent.borderColor = colour('quiet');
    denied.borderColor = colour('denied');
    const {x, y} = this.#chart.options.scales;
    x.ticks.color = y.ticks.color = colour('quiet');
    x.border = {color: colour('line')};
    y.grid = {color: colour('grid')};
    this.#chart.update('none');
  }
}

/** How many there were until each instant, from the beginning to the end of the picture. */
function sums(instants) {
  const points = [...instants].sort((one, other) => one - other).map((x, i) => ({x, y: i + 1}));
  return [{x: 0, y: 0}, ...points, {x: SECONDS, y: points.length}];
}
