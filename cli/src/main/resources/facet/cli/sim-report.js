// Draws the report of `facet sim`. All names come from files of strangers: they are set as text, never as markup.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const COLOURS = ['#2f86cf', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#7cc4ec', '#c4ae00', '#8a97a6'];
const style = getComputedStyle(document.documentElement);
const resolve = (name) => {
  const probe = document.createElement('i');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
};

Chart.defaults.animation = false;
Chart.defaults.font.family = style.fontFamily;
Chart.defaults.color = resolve('--soft');
Chart.defaults.borderColor = resolve('--grid');

const percent = (value) => `${Math.round(value * 100) / 100} %`;
const seconds = (value) => {
  if (value < 60) return `${Math.round(value)} s`;
  if (value < 3600) return `${Math.round(value / 6) / 10} min`;
  if (value < 86400) return `${Math.round(value / 360) / 10} h`;
  return `${Math.round(value / 8640) / 10} d`;
};

// Where people look for a mark on an axis of time, in seconds; and how lines that lie on each other are told apart.
const STEPS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 21600, 43200, 86400]
  .concat([2, 5, 7, 14, 30, 60, 90, 180, 365, 730, 1825, 3650].map((days) => days * 86400));
const MARKS = [1, 10, 60, 600, 3600, 36000, 86400, 864000, 8640000, 86400000];
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

/** Marks at whole minutes, hours or days. */
const timeTicks = (axis) => {
  const step = STEPS.find((each) => (axis.max - axis.min) / each <= 8) ?? (axis.max - axis.min) / 8;
  axis.ticks = [];
  for (let value = Math.ceil(axis.min / step) * step; value <= axis.max; value += step) {
    axis.ticks.push({ value });
  }
};
const markTicks = (axis) => {
  axis.ticks = MARKS.filter((value) => value >= axis.min && value <= axis.max).map((value) => ({ value }));
};

function element(tag, text, parent) {
  const made = document.createElement(tag);
  made.textContent = text;
  parent?.append(made);
  return made;
}

/** A card with a plot: a line for each policy. */
function plot(id, title, about, lines, { x, y, xTitle, yTitle, times = false, logarithmic = false, min, max }) {
  const card = document.createElement('section');
  element('h2', title, card);
  element('p', about, card);
  const box = element('div', '', card);
  box.className = 'plot';
  const canvas = element('canvas', '', box);
  canvas.id = id;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `${title}. ${about}`);
  document.querySelector('main').append(card);
  const axis = (text, format, more) => ({
    type: 'linear',
    title: { display: true, text },
    ticks: { callback: (value) => format(value), maxTicksLimit: 8, maxRotation: 0, includeBounds: false },
    ...more,
  });
  new Chart(canvas, {
    type: 'line',
    data: {
      datasets: lines.map(({ name, points }, i) => ({
        label: name,
        data: points,
        borderColor: COLOURS[i % COLOURS.length],
        backgroundColor: COLOURS[i % COLOURS.length],
        borderDash: DASHES[i % DASHES.length],
        order: -i,
        borderWidth: 2,
        pointRadius: 0,
        pointHitRadius: 4,
      })),
    },
    options: {
      maintainAspectRatio: false,
      parsing: false,
      normalized: true,
      interaction: { mode: 'index', intersect: false, axis: 'x' },
      plugins: {
        legend: { labels: { usePointStyle: true, pointStyle: 'line' } },
        tooltip: {
          callbacks: {
            title: (items) => (items.length ? `${xTitle}: ${x(items[0].parsed.x)}` : ''),
            label: (item) => ` ${item.dataset.label}: ${y(item.parsed.y)}`,
          },
        },
      },
      scales: {
        x: axis(xTitle, x, { min: lines[0]?.points[0]?.x, max: lines[0]?.points.at(-1)?.x, ...(times ? { afterBuildTicks: timeTicks } : {}) }),
        y: axis(yTitle, y, { min, max, ...(logarithmic ? { type: 'logarithmic', afterBuildTicks: markTicks } : {}) }),
      },
    },
  });
}

function table(title, about, columns, rows) {
  const card = document.createElement('section');
  card.className = 'wide';
  element('h2', title, card);
  element('p', about, card);
  const made = element('table', '', card);
  const head = element('tr', '', element('thead', '', made));
  columns.forEach(([name]) => element('th', name, head));
  const body = element('tbody', '', made);
  for (const row of rows) {
    const line = element('tr', '', body);
    columns.forEach(([, value]) => element('td', value(row), line));
  }
  document.querySelector('main').append(card);
}

const fixed = (value) => value.toFixed(2);
document.title = `Facet: placing on ${data.trace}`;
document.querySelector('h1').textContent = `Placing on ${data.trace}`;
document.getElementById('about').textContent =
  `${data.nodes.toLocaleString('en')} nodes with ${data.devices.toLocaleString('en')} devices, ` +
  `${data.tasks.toLocaleString('en')} tasks; seeds ${data.seeds}; up to ${data.until} of all devices asked for.`;

if (data.fillings.length) {
  const lines = (field) =>
    data.fillings.map(({ policy, [field]: values }) => ({ name: policy, points: values.map((y, x) => ({ x, y })) }));
  plot('allocation', 'Allocation over demand', 'Devices in use when requests for so many have arrived; nobody leaves. Mean of all seeds.',
    lines('allocation'), { x: percent, y: percent, xTitle: 'arrived, of all devices', yTitle: 'in use', min: 0, max: 100 });
  plot('fragmentation', 'Fragmentation over demand', 'Devices that are free and of no use to the requests of the trace, on average. Mean of all seeds.',
    lines('fragmentation'), { x: percent, y: percent, xTitle: 'arrived, of all devices', yTitle: 'of no use', min: 0 });
}
if (data.replays.length) {
  const busiest = Math.max(0, ...data.replays.flatMap(({ waits }) => waits));
  plot('waiting', 'Waiting times', 'So many percent of tasks wait no longer. Tasks come and go at their own times. Mean of all seeds.',
    data.replays.map(({ policy, waits }) => ({ name: policy, points: waits.map((y, x) => ({ x, y: Math.max(1, y) })) })),
    { x: percent, y: seconds, xTitle: 'tasks', yTitle: 'wait', logarithmic: true, min: 1, max: Math.max(10, busiest) });
  const first = data.replays[0].course[0]?.time ?? 0;
  plot('utilisation', 'Utilisation', 'Devices in use while tasks arrive. Mean of all seeds.',
    data.replays.map(({ policy, course }) => ({ name: policy, points: course.map(({ time, used }) => ({ x: time - first, y: used })) })),
    { x: seconds, y: percent, xTitle: 'time', yTitle: 'in use', times: true, min: 0, max: 100 });
}
if (data.fillings.length) {
  table('Filled', `All tasks in random order, and again, until requests for ${data.until} have arrived.`, [
    ['policy', (row) => row.policy], ['runs', (row) => row.runs], ['in use %', (row) => fixed(row.mean)],
    ['least', (row) => fixed(row.least)], ['most', (row) => fixed(row.most)],
    ['of no use %', (row) => fixed(row.fragmentation.at(-1))],
    ['placed', (row) => row.placed], ['of', (row) => row.arrived],
  ], data.fillings);
}
if (data.replays.length) {
  table('With departures', 'Means over all seeds; waits in seconds.', [
    ['policy', (row) => row.policy], ['runs', (row) => row.runs], ['p50', (row) => fixed(row.waitMedian)], ['p99', (row) => fixed(row.waitMost99)],
    ['mean', (row) => fixed(row.waitMean)], ['waited', (row) => fixed(row.waited)], ['in use %', (row) => fixed(row.allocation)], ['never', (row) => fixed(row.never)],
  ], data.replays);
}
if (data.note) {
  element('p', data.note, document.querySelector('header'));
}
