import {SteadyTop} from './axis.js';
import {BIN_MILLIS, BINS, KINDS} from './timeline.js';

const SECONDS = (BINS * BIN_MILLIS) / 1000;
const TICK_SECONDS = 10;
const DARK = matchMedia('(prefers-color-scheme: dark)');

/** Draws a timeline as stacked bars that move to the left. */
export class MovingChart {
  #timeline;
  #top = new SteadyTop();
  #chart;

  constructor(canvas, timeline) {
    this.#timeline = timeline;
    this.#chart = new Chart(canvas, {
      type: 'bar',
      data: {
        labels: Array.from({length: BINS}, (_, bin) => SECONDS - ((bin + 1) * BIN_MILLIS) / 1000),
        datasets: KINDS.map((kind) => ({label: kind, data: timeline.series(kind)})),
      },
      options: this.#options(),
      plugins: [{id: 'local', beforeDatasetsDraw: (chart) => this.#shadeLocal(chart)}],
    });
    this.#paint();
    DARK.addEventListener('change', () => this.#paint());
  }

  draw() {
    this.#timeline.advance();
    const series = KINDS.map((kind) => this.#timeline.series(kind));
    series.forEach((data, i) => { this.#chart.data.datasets[i].data = data; });
    const sums = series[0].map((_, bin) => series.reduce((sum, data) => sum + data[bin], 0));
    this.#chart.options.scales.y.max = this.#top.above(sums);
    this.#chart.update('none');
  }

  #options() {
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
          ticks: {
            autoSkip: false,
            maxRotation: 0,
            callback: (_, bin) => MovingChart.#tick(SECONDS - ((bin + 1) * BIN_MILLIS) / 1000),
          },
        },
        y: {
          stacked: true,
          beginAtZero: true,
          border: {display: false},
          ticks: {precision: 0, maxTicksLimit: 6},
          title: {display: true, text: 'answers per second'},
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
    const {datasets} = this.#chart.data;
    KINDS.forEach((kind, i) => { datasets[i].backgroundColor = colour(kind); });
    datasets[KINDS.indexOf('denied')].backgroundColor = hatch(colour('denied'), colour('surface'));
    const {x, y} = this.#chart.options.scales;
    x.ticks.color = y.ticks.color = y.title.color = colour('quiet');
    x.border = {color: colour('line')};
    y.grid = {color: colour('grid')};
    this.localColour = colour('local');
    this.#chart.update(); // 'none' keeps the colours of the bars that are there
  }

  #shadeLocal({ctx, chartArea: {left, top, width, height}}) {
    ctx.save();
    ctx.fillStyle = this.localColour;
    ctx.globalAlpha = 0.55;
    const edge = (bin) => Math.round(left + (bin * width) / BINS);
    for (let bin = 0; bin < BINS; bin++) {
      if (this.#timeline.isLocal(bin)) {
        ctx.fillRect(edge(bin), top, edge(bin + 1) - edge(bin), height);
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
