import {SteadyTop} from './axis.js';
import {KINDS, SECONDS} from './traffic.js';

const TICK_SECONDS = 10;
const DARK = matchMedia('(prefers-color-scheme: dark)');

/** Draws the requests of the last minute as stacked bars, on the times in which Redis was out. */
export class TrafficChart {
  #traffic;
  #history;
  #top = new SteadyTop();
  #chart;
  #colours = {};

  constructor(canvas, traffic, history) {
    this.#traffic = traffic;
    this.#history = history;
    this.#chart = new Chart(canvas, {
      type: 'bar',
      data: {
        labels: Array.from({length: SECONDS}, (_, i) => SECONDS - i),
        datasets: KINDS.map((kind) => ({label: kind, data: traffic.series(kind)})),
      },
      options: TrafficChart.#options(),
      plugins: [{id: 'outages', beforeDatasetsDraw: (chart) => this.#shade(chart)}],
    });
    this.#paint();
    DARK.addEventListener('change', () => this.#paint());
  }

  draw() {
    const series = KINDS.map((kind) => this.#traffic.series(kind));
    series.forEach((data, i) => { this.#chart.data.datasets[i].data = data; });
    const sums = series[0].map((_, second) => series.reduce((sum, data) => sum + data[second], 0));
    this.#chart.options.scales.y.max = this.#top.above(sums);
    this.#chart.update('none');
  }

  static #options() {
    return {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      events: [],
      datasets: {bar: {barPercentage: 0.86, categoryPercentage: 1, borderRadius: 1}},
      plugins: {legend: {display: false}, tooltip: {enabled: false}},
      scales: {
        x: {
          stacked: true,
          grid: {display: false},
          ticks: {autoSkip: false, maxRotation: 0, callback: (_, i) => TrafficChart.#tick(SECONDS - 1 - i)},
        },
        y: {
          stacked: true,
          beginAtZero: true,
          border: {display: false},
          ticks: {precision: 0, maxTicksLimit: 6},
        },
      },
    };
  }

  static #tick(age) {
    if (age === 0) {
      return 'now';
    }
    return age % TICK_SECONDS === 0 ? `−${age} s` : '';
  }

  /** Takes the page's colours, which follow the system's. */
  #paint() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const [allowed, denied] = this.#chart.data.datasets;
    allowed.backgroundColor = colour('allowed');
    denied.backgroundColor = hatch(colour('denied'), colour('surface'));
    const {x, y} = this.#chart.options.scales;
    x.ticks.color = y.ticks.color = colour('quiet');
    x.border = {color: colour('line')};
    y.grid = {color: colour('grid')};
    this.#colours = {ground: colour('local'), text: colour('local-text')};
    this.#chart.update(); // 'none' keeps the colours of the bars that are there
  }

  #shade({ctx, chartArea: {left, top, right, height, width}}) {
    const at = (time) => left + ((time / 1000 - this.#traffic.start) * width) / SECONDS;
    ctx.save();
    ctx.font = `12px ${Chart.defaults.font.family}`;
    for (const {from, to} of this.#history.outages) {
      const begin = Math.max(left, at(from));
      const end = Math.min(right, to === null ? right : at(to));
      if (end > begin) {
        ctx.fillStyle = this.#colours.ground;
        ctx.fillRect(begin, top, end - begin, height);
        ctx.fillStyle = this.#colours.text;
        const label = 'in process';
        if (end - begin > ctx.measureText(label).width + 12) {
          ctx.fillText(label, begin + 6, top + 16);
        }
      }
    }
    ctx.restore();
  }
}

/** Diagonal lines, so that the bars differ by more than their colour. */
function hatch(colour, ground) {
  const size = 6;
  const tile = new OffscreenCanvas(size, size);
  const ctx = tile.getContext('2d');
  ctx.fillStyle = colour;
  ctx.fillRect(0, 0, size, size);
  ctx.strokeStyle = ground;
  ctx.globalAlpha = 0.55;
  ctx.lineWidth = 1.4;
  ctx.beginPath();
  for (const offset of [-size, 0, size]) {
    ctx.moveTo(offset, size);
    ctx.lineTo(offset + size, 0);
  }
  ctx.stroke();
  return ctx.createPattern(tile, 'repeat');
}
