// A slice as a row of the table. Its nodes are made once.

import { element, setAttribute, setHidden, setStyle, setText } from './dom.js';
import { bytes, count, NONE, percent, roundPercent, shortId } from './format.js';
import { limit, where } from './place.js';
import { Sparkline } from './sparkline.js';

function meter(kind) {
  const fill = element('span', { class: 'fill' });
  const mark = element('span', { class: 'mark' });
  return { fill, mark, node: element('span', { class: `meter ${kind}`, 'aria-hidden': 'true' }, fill, mark) };
}

const cell = (kind, label, ...children) => element('td', { class: kind, 'data-label': label }, ...children);

export class Row {
  seen = true; // on the screen; rows that are not need no line drawn
  #spark = new Sparkline();
  #compute = meter('compute');
  #memory = meter('memory');

  constructor() {
    this.swatch = element('span', { class: 'swatch' });
    this.button = element('button', { type: 'button', class: 'name' });
    this.meta = element('span', { class: 'meta' });
    this.got = element('b');
    this.wanted = element('span', { class: 'meta' });
    this.waiting = element('span');
    this.used = element('b');
    this.limit = element('span', { class: 'meta' });
    this.out = element('span', { class: 'out' });
    this.sessions = element('span');
    this.faults = element('span', { class: 'faults' });
    this.node = element('tr', {},
      cell('who', '', this.swatch, element('div', {}, this.button, this.meta)),
      cell('share', 'Compute', element('span', { class: 'figures' }, this.got, this.wanted), this.#compute.node),
      cell('trend', '', this.#spark.canvas),
      cell('number waiting', 'Waiting', this.waiting),
      cell('room', 'Memory', element('span', { class: 'figures' }, this.used, this.limit), this.#memory.node, this.out),
      cell('number', 'Programs', this.sessions),
      cell('number', 'Faults', this.faults));
    this.node.row = this;
  }

  show(slice, { palette, chosen, devices }) {
    this.name = slice.name;
    this.colour = palette.of(slice.name);
    this.node.dataset.slice = slice.name;
    this.node.classList.toggle('chosen', slice.name === chosen);
    setAttribute(this.button, 'aria-pressed', String(slice.name === chosen));
    setStyle(this.node, '--part', `var(--${this.colour})`);
    setText(this.button, slice.name);
    // A container's own slice has its name already.
    const id = shortId(slice.container ?? '');
    const place = where(slice, devices);
    setText(this.meta, slice.policy + (place ? ` · ${place}` : '') + (id ? ` · ${id === slice.name ? 'container' : id}` : ''));
    setAttribute(this.meta, 'title', slice.container ? `container ${slice.container}` : '');

    const share = (value) => `${Math.min(100, value ?? 0).toFixed(1)}%`;
    setText(this.got, percent(slice.got));
    setText(this.wanted, slice.wanted > 0 ? `of ${roundPercent(slice.wanted)}`
      : slice.compute > 0 ? `at most ${roundPercent(slice.compute)}` : 'no promise');
    setStyle(this.#compute.fill, 'width', share(slice.got));
    setHidden(this.#compute.mark, !(slice.wanted > 0));
    setStyle(this.#compute.mark, 'left', share(slice.wanted));
    setText(this.waiting, slice.waiting > 0 || slice.sessions > 0 ? percent(slice.waiting) : NONE);

    const all = limit(slice, devices);
    setText(this.used, bytes(slice.memoryUsed));
    setText(this.limit, `of ${bytes(all)}`);
    setStyle(this.#memory.fill, 'width', `${Math.min(100, 100 * slice.memoryUsed / all).toFixed(1)}%`);
    this.#memory.node.classList.toggle('full', slice.memoryUsed > 0.95 * all);
    setHidden(this.#memory.mark, true);
    const out = slice.memoryUsed - (slice.memoryResident ?? slice.memoryUsed);
    setHidden(this.out, out <= 0);
    setText(this.out, out > 0 ? `${bytes(out)} moved out` : '');

    setText(this.sessions, slice.sessions ? count(slice.sessions) : NONE);
    setText(this.faults, slice.faults ? count(slice.faults) : NONE);
    this.faults.classList.toggle('some', slice.faults > 0);
    setAttribute(this.faults, 'title', slice.lastFault ?? '');
  }

  draw({ history, range, now }) {
    if (this.seen) {
      this.#spark.draw(history.slice(this.name), range, now, this.colour);
    }
  }
}
