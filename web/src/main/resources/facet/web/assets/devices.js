// A card for each device: bars divided into slices, and who had it over time.

import { arrange, byId, element, setAttribute, setStyle, setText } from './dom.js';
import { bytes, percent, plural, roundPercent } from './format.js';
import { gotOn, isOn, residentOn } from './place.js';
import { Plot } from './plot.js';

const NAMED = 7; // slices with an area of their own in the plot; the others share one

/** Parts of a bar, one node for each slice, kept while the slice is there. */
class Bar {
  #parts = new Map();

  constructor(label, choose) {
    this.track = element('div', { class: 'track', role: 'img' });
    this.value = element('span', { class: 'value' });
    this.node = element('div', { class: 'gauge' }, element('span', { class: 'label' }, label), this.track, this.value);
    this.track.addEventListener('click', (event) => {
      const part = event.target.closest('[data-slice]');
      if (part) {
        choose(part.dataset.slice);
      }
    });
  }

  /** @param parts name, width in percent of the bar, title */
  show(parts, palette, chosen) {
    const there = new Set(parts.map((each) => each.name));
    for (const [name, node] of this.#parts) {
      if (!there.has(name)) {
        node.remove();
        this.#parts.delete(name);
      }
    }
    const nodes = parts.map((each) => {
      let node = this.#parts.get(each.name);
      if (!node) {
        node = element('span', { class: 'part', 'data-slice': each.name }, element('span', {}, each.name));
        this.#parts.set(each.name, node);
      }
      setStyle(node, 'width', `${each.width.toFixed(2)}%`);
      setStyle(node, '--part', `var(--${palette.of(each.name)})`);
      setAttribute(node, 'title', each.title);
      node.classList.toggle('chosen', each.name === chosen);
      return node;
    });
    arrange(this.track, nodes);
  }
}

class Card {
  #legend = [];

  constructor(choose) {
    this.name = element('h3');
    this.facts = element('p', { class: 'meta' });
    this.compute = new Bar('Compute', choose);
    this.promised = new Bar('Promised', choose);
    this.promised.node.classList.add('thin');
    this.memory = new Bar('Memory', choose);
    this.canvas = element('canvas', { role: 'img' });
    this.legend = element('ul', { class: 'legend' });
    this.node = element('article', { class: 'card device' },
      element('div', { class: 'gauges' },
        element('header', { class: 'bar' }, element('div', {}, this.name, this.facts)),
        this.compute.node, this.promised.node, this.memory.node),
      element('div', { class: 'history' },
        element('div', { class: 'plot' }, this.canvas), this.legend));
    for (let i = 0; i <= NAMED; i++) {
      const swatch = element('span', { class: 'swatch' });
      const text = element('span');
      this.#legend.push({ node: element('li', {}, swatch, text), swatch, text });
    }
    this.plot = new Plot(this.canvas, NAMED + 1, { stacked: true, value: roundPercent, marks: () => [0, 50, 100] });
  }

  show(device, view) {
    const { palette, chosen } = view;
    const slices = view.slices.filter((each) => isOn(each, device.device));
    setText(this.name, `Device ${device.device}`);
    setText(this.facts, `${device.name}, ${plural(device.multiprocessors, 'multiprocessor', 'multiprocessors')}, `
      + `compute capability ${device.computeCapability}`);

    const got = (each) => gotOn(each, device.device);
    this.compute.show(slices.filter((each) => got(each) >= 0.05).map((each) => ({
      name: each.name, width: got(each), title: `${each.name}: ${percent(got(each))}`,
    })), palette, chosen);
    setText(this.compute.value, `${percent(device.busy)} busy`);
    setAttribute(this.compute.track, 'aria-label', `Compute: ${percent(device.busy)} of the device is busy`);

    const wanted = slices.reduce((sum, each) => sum + (each.wanted ?? 0), 0);
    this.promised.show(slices.filter((each) => each.wanted > 0).map((each) => ({
      name: each.name, width: each.wanted, title: `${each.name}: promised ${percent(each.wanted)}`,
    })), palette, chosen);
    setText(this.promised.value, `${percent(wanted)} promised`);
    setAttribute(this.promised.track, 'aria-label', `Promised: ${percent(wanted)} of the device`);

    const used = (each) => residentOn(each, device.device);
    this.memory.show(slices.filter((each) => used(each) > 0).map((each) => ({
      name: each.name, width: 100 * used(each) / device.memory, title: `${each.name}: ${bytes(used(each))}`,
    })), palette, chosen);
    const out = device.movedOut > 0 ? `, ${bytes(device.movedOut)} moved out` : '';
    const memory = `${bytes(device.resident ?? device.used)} of ${bytes(device.memory)}${out}`;
    setText(this.memory.value, memory);
    setAttribute(this.memory.track, 'aria-label', `Memory: ${memory}`);
    this.#draw(device.device, view);
  }

  /**
   * Those who had most in the time that is shown, largest at the bottom; the rest, and those that
   * are gone, in one area.
   */
  #draw(device, { history, range, palette, now, slices }) {
    const ranked = slices
      .map((slice) => ({ slice, ring: history.sliceOn(slice.name, device) }))
      .map((each) => ({ ...each, mean: each.ring.mean(now - range.seconds, now + 1, 'got') }))
      .filter((each) => each.mean > 0)
      .sort((a, b) => b.mean - a.mean || (a.slice.name < b.slice.name ? -1 : 1));
    // Two areas of one colour could not be told apart.
    const colours = new Set();
    const named = ranked.filter((each) => {
      const key = palette.of(each.slice.name);
      return colours.size < NAMED && !colours.has(key) && colours.add(key);
    });
    const busy = history.devices.get(device);
    const rest = (busy?.mean(now - range.seconds, now + 1, 'busy') ?? 0)
      - named.reduce((sum, each) => sum + each.mean, 0);
    const shown = [];
    for (let i = 0; i <= NAMED; i++) {
      const name = i < NAMED ? named[i]?.slice.name ?? '' : rest > 0.5 ? 'others' : '';
      const key = i < NAMED && name ? palette.of(name) : 'others';
      this.plot.style(i, { label: name, area: name ? key : undefined, line: name ? key : undefined, width: 0.5 });
      const legend = this.#legend[i];
      setText(legend.text, name);
      setStyle(legend.swatch, 'background', `var(--${key})`);
      if (name) {
        shown.push(legend.node);
      }
    }
    arrange(this.legend, shown);
    setAttribute(this.canvas, 'aria-label', `Who had the device in the last ${range.text}`);
    const part = (each, from, to) => each.ring.mean(from, to, 'got');
    this.plot.draw(range, now, 100, (series, from, to) => {
      const all = busy?.mean(from, to, 'busy') ?? NaN;
      if (Number.isNaN(all)) {
        return NaN;
      }
      if (series < NAMED) {
        return named[series] ? part(named[series], from, to) || 0 : 0;
      }
      return Math.max(0, all - named.reduce((sum, each) => sum + (part(each, from, to) || 0), 0));
    });
  }
}

export class Devices {
  #cards = [];
  #choose;

  constructor(choose) {
    this.#choose = choose;
  }

  show(view) {
    while (this.#cards.length > view.devices.length) {
      const card = this.#cards.pop();
      card.plot.destroy();
      card.node.remove();
    }
    view.devices.forEach((device, i) => {
      if (!this.#cards[i]) {
        this.#cards[i] = new Card(this.#choose);
        byId('devices').append(this.#cards[i].node);
      }
      this.#cards[i].show(device, view);
    });
  }

  recolour() {
    this.#cards.forEach((each) => each.plot.recolour());
  }
}
