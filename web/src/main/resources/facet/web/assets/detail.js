// The slice that was chosen: its shares and its memory over time, and everything else about it.

import { byId, element, setHidden, setStyle, setText } from './dom.js';
import { bytes, count, duration, NONE, percent, plural, roundPercent, shortId } from './format.js';
import { each as ofEach, limit, where } from './place.js';
import { Plot } from './plot.js';

const SMALLEST_TOP = 2; // percent

/** Label, and what it says of a slice on these devices; nothing where it does not apply. */
const FACTS = [
  ['Policy', (each) => each.policy + (each.policy === 'time-slice' ? `, turns of ${each.turnMillis} ms` : '')],
  ['Promised', (each) => (each.wanted > 0 ? `${roundPercent(each.wanted)} of ${plural(each.devices, 'device', 'devices')}` : 'nothing')],
  ['Got', (each) => percent(each.got)],
  ['On', (each, devices) => [where(each, devices), ...ofEach(each, devices)].filter((part) => part).join('; ')],
  ['Waiting', (each) => percent(each.waiting)],
  ['Memory', (each, devices) => `${bytes(each.memoryUsed)} of ${bytes(limit(each, devices))}`],
  ['Moved out', (each) => bytes(each.memoryUsed - (each.memoryResident ?? each.memoryUsed))],
  ['Programs', (each) => count(each.sessions)],
  ['Launches', (each) => count(each.launches)],
  ['Device time', (each) => duration(each.deviceNanos / 1e9)],
  ['Priority', (each) => (each.priority ? count(each.priority) : '')],
  ['Isolation', (each) => (each.isolation === 'process' ? 'a process of its own' : '')],
  ['Confined to', (each) => (each.multiprocessors ? plural(each.multiprocessors, 'multiprocessor', 'multiprocessors') : '')],
  ['Calendar', (each) => (each.calendar ? `${each.calendar} (${each.timeZone})` : '')],
  ['Faults', (each) => count(each.faults)],
  ['Container', (each) => each.container ?? ''],
  ['Stays', (each) => (each.name === 'default' ? 'always' : each.kept ? 'until it is deleted'
    : each.container ? 'as long as its container' : 'as long as its program')],
];

export class Detail {
  #facts = FACTS.map(([label, value]) => {
    const text = element('dd');
    return { value, text, node: element('div', {}, element('dt', {}, label), text) };
  });
  #compute;
  #waiting;
  #memory;

  constructor() {
    byId('facts').append(...this.#facts.map((each) => each.node));
  }

  show(view) {
    const slice = view.slices.find((each) => each.name === view.chosen);
    setHidden(byId('detail'), !slice);
    if (!slice) {
      return;
    }
    const colour = view.palette.of(slice.name);
    setStyle(byId('detail'), '--part', `var(--${colour})`);
    setText(byId('detail-name'), slice.name);
    setText(byId('detail-meta'), slice.container ? `container ${shortId(slice.container)}` : slice.policy);
    setHidden(byId('detail-fault'), !slice.lastFault);
    setText(byId('detail-fault'), slice.lastFault ? `Last fault: ${slice.lastFault}` : '');
    for (const each of this.#facts) {
      const text = each.value(slice, view.devices);
      setText(each.text, text || NONE);
      setHidden(each.node, text === '');
    }
    this.#draw(slice, colour, view);
  }

  #draw(slice, colour, { history, range, now, devices }) {
    this.#compute ??= new Plot(byId('plot-compute'), 2, { value: (y) => roundPercent(y) });
    this.#waiting ??= new Plot(byId('plot-waiting'), 1, { value: (y) => roundPercent(y), marks: () => [0, 100] });
    this.#memory ??= new Plot(byId('plot-memory'), 2, { value: bytes, marks: (top) => [0, top / 2, top] });
    const ring = history.slice(slice.name);
    this.#compute.style(0, { label: 'promised', line: 'promise', dash: [5, 4] });
    this.#compute.style(1, { label: 'got', line: colour, area: `${colour}-area`, width: 2 });
    const fields = ['wanted', 'got'];
    const top = Math.max(SMALLEST_TOP, ...fields.map((each) => ring.highest(now - range.seconds, now + 1, each)));
    this.#compute.draw(range, now, niceTop(top),
      (series, from, to) => ring.mean(from, to, fields[series]));

    this.#waiting.style(0, { label: 'waiting', line: 'waiting', area: 'waiting-area' });
    this.#waiting.draw(range, now, 100, (_, from, to) => ring.mean(from, to, 'waiting'));

    const most = limit(slice, devices);
    this.#memory.style(0, { label: 'limit', line: 'promise', dash: [5, 4] });
    this.#memory.style(1, { label: 'used', line: colour, area: `${colour}-area`, width: 2 });
    this.#memory.draw(range, now, most,
      (series, from, to) => (series === 0 ? most : ring.mean(from, to, 'memoryUsed')));
  }

  recolour() {
    this.#compute?.recolour();
    this.#waiting?.recolour();
    this.#memory?.recolour();
  }
}

/** In steps, so that the axis does not move with each sample. */
function niceTop(value) {
  const step = value < 5 ? 1 : value < 20 ? 5 : 20;
  return Math.ceil(value * 1.05 / step) * step;
}
