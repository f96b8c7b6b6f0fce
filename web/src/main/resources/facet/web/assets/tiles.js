// The node in five numbers.

import { byId, element, setText } from './dom.js';
import { bytes, count, duration, percent, plural } from './format.js';

const sum = (rows, value) => rows.reduce((total, each) => total + (value(each) ?? 0), 0);

const TILES = [
  ['Busy', ({ devices }) => [
    percent(sum(devices, (each) => each.busy) / Math.max(1, devices.length)),
    `of ${plural(devices.length, 'device', 'devices')}`]],
  ['Memory', ({ devices }) => {
    const out = sum(devices, (each) => each.movedOut);
    return [bytes(sum(devices, (each) => each.resident ?? each.used)),
      `of ${bytes(sum(devices, (each) => each.memory))}${out ? `, ${bytes(out)} moved out` : ''}`];
  }],
  ['Promised', ({ slices, devices }) => [
    percent(sum(slices, (each) => (each.node ? 0 : (each.wanted ?? 0) * each.devices)) / Math.max(1, devices.length)),
    'of the devices’ time']],
  ['Programs', ({ slices }) => [
    count(sum(slices, (each) => each.sessions)),
    `in ${plural(slices.filter((each) => each.sessions).length, 'slice', 'slices')}`]],
  ['Faults', ({ slices, status }) => [
    count(sum(slices, (each) => each.faults)),
    `up ${duration(status.uptimeSeconds ?? 0)}`]],
];

export class Tiles {
  #tiles = TILES.map(([label, values]) => {
    const value = element('dd');
    const more = element('dd', { class: 'meta' });
    return { values, value, more, node: element('div', { class: 'tile' }, element('dt', {}, label), value, more) };
  });

  constructor() {
    byId('tiles').append(...this.#tiles.map((each) => each.node));
  }

  show(view) {
    for (const each of this.#tiles) {
      const [value, more] = each.values(view);
      setText(each.value, value);
      setText(each.more, more);
    }
  }
}
