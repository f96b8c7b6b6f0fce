// A plot over time: Chart.js with what all our plots have in common. Points are made once and
// overwritten; nothing is allocated from second to second. Areas are stacked here: Chart.js would
// keep what it has stacked for each moment, for good.

import { clock } from './format.js';
import { age, POINTS } from './range.js';
import { colour } from './theme.js';

const { Chart } = globalThis;
Chart.defaults.animation = false;
Chart.defaults.font.family = getComputedStyle(document.documentElement).fontFamily;
Chart.defaults.font.size = 11;

const LABEL_WIDTH = 60; // pixels

export class Plot {
  #chart;
  #range;
  #now = 0;
  #stacked;

  /**
   * @param series how many
   * @param options stacked: each area stands on the one before it; value: formats a number of the vertical axis; marks: its marks, by its top
   */
  constructor(canvas, series, { stacked = false, value, marks }) {
    this.value = value;
    this.#stacked = stacked;
    const datasets = Array.from({ length: series }, () => ({
      data: Array.from({ length: POINTS }, () => ({ x: 0, y: NaN })),
      label: '',
      borderWidth: 1.5,
      pointRadius: 0,
      pointHitRadius: 0,
      stepped: false,
      clip: stacked ? undefined : false,
      fill: false,
    }));
    this.#chart = new Chart(canvas, {
      type: 'line',
      data: { datasets },
      options: {
        parsing: false,
        normalized: true,
        maintainAspectRatio: false,
        interaction: { mode: 'index', intersect: false, axis: 'x' },
        plugins: {
          legend: { display: false },
          tooltip: {
            itemSort: stacked ? (a, b) => b.datasetIndex - a.datasetIndex : undefined,
            filter: (item) => item.dataset.label !== '' && !(stacked && this.#part(item) < 0.05),
            callbacks: {
              title: (items) => (items.length ? clock(items[0].parsed.x * 1000) : ''),
              label: (item) => ` ${item.dataset.label}: ${this.value(this.#part(item))}`,
            },
          },
        },
        scales: {
          x: {
            type: 'linear',
            border: { display: false },
            grid: { drawTicks: false },
            ticks: { maxRotation: 0, padding: 6, autoSkip: false, callback: (x) => age(this.#now - x) },
            afterBuildTicks: (axis) => {
              axis.ticks = this.#ticks();
            },
          },
          y: {
            min: 0,
            border: { display: false },
            grid: { drawTicks: false },
            // The same for all, so that times lie below each other.
            afterFit: (axis) => {
              axis.width = LABEL_WIDTH;
            },
            ticks: { maxTicksLimit: 5, padding: 6, callback: (y) => this.value(y) },
            afterBuildTicks: (axis) => {
              if (marks) {
                axis.ticks = marks(axis.max).map((each) => ({ value: each }));
              }
            },
          },
        },
      },
    });
    this.recolour();
  }

  /** What a point adds to those it stands on. */
  #part({ datasetIndex, dataIndex, parsed }) {
    return parsed.y - this.#below(datasetIndex, dataIndex);
  }

  #below(series, index) {
    return this.#stacked && series > 0 ? this.#chart.data.datasets[series - 1].data[index].y : 0;
  }

  #ticks() {
    const ticks = [];
    if (this.#range) {
      // On narrow plots every second mark has room.
      const mark = this.#range.mark * (this.#chart.width < 420 ? 2 : 1);
      for (let back = 0; back <= this.#range.seconds; back += mark) {
        ticks.unshift({ value: this.#now - back });
      }
    }
    return ticks;
  }

  /** Lines and areas take their colours by name from the style sheet. */
  style(index, { label, line, area, dash, width }) {
    const dataset = this.#chart.data.datasets[index];
    dataset.label = label;
    dataset.borderColor = line ? colour(line) : 'transparent';
    dataset.backgroundColor = area ? colour(area) : 'transparent';
    dataset.fill = area ? (this.#stacked && index > 0 ? '-1' : 'origin') : false;
    dataset.borderDash = dash ?? [];
    dataset.borderWidth = width ?? 1.5;
  }

  /**
   * @param now second at the right edge
   * @param values (series, from, to) gives the mean of these seconds, or NaN
   */
  draw(range, now, top, values) {
    this.#range = range;
    this.#now = now;
    const { datasets } = this.#chart.data;
    const first = Math.floor((now - range.seconds) / range.bin) * range.bin;
    const used = Math.ceil((now + 1 - first) / range.bin);
    for (let series = 0; series < datasets.length; series++) {
      const { data } = datasets[series];
      for (let i = 0; i < POINTS; i++) {
        // What is not used lies behind the last point and is not drawn.
        const from = first + Math.min(i, used - 1) * range.bin;
        data[i].x = Math.min(from + range.bin - 1, now);
        data[i].y = i < used ? this.#below(series, i) + values(series, from, from + range.bin) : NaN;
      }
    }
    this.#chart.options.scales.x.min = now - range.seconds;
    this.#chart.options.scales.x.max = now;
    this.#chart.options.scales.y.max = top;
    this.#chart.update('none');
  }

  recolour() {
    const { x, y } = this.#chart.options.scales;
    for (const axis of [x, y]) {
      axis.ticks.color = colour('faint');
      axis.grid.color = colour('grid');
    }
    const { tooltip } = this.#chart.options.plugins;
    tooltip.backgroundColor = colour('tip');
    tooltip.titleColor = colour('tip-text');
    tooltip.bodyColor = colour('tip-text');
    tooltip.usePointStyle = true;
    this.#chart.update('none');
  }

  destroy() {
    this.#chart.destroy();
  }
}
