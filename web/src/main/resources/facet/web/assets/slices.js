// The table of slices: filter, order, choice.

import { arrange, byId, element, setHidden, setText } from './dom.js';
import { plural } from './format.js';
import { where } from './place.js';
import { Row } from './row.js';
import { load, save } from './settings.js';

const byName = (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true });
const most = (value) => (a, b) => (value(b) ?? 0) - (value(a) ?? 0) || byName(a, b);

/** Columns; those with an order can be sorted by. */
const COLUMNS = [
  { key: 'name', text: 'Slice', order: byName },
  { key: 'got', text: 'Compute', order: most((each) => each.got) },
  { key: 'past', text: '' },
  { key: 'waiting', text: 'Waiting', order: most((each) => each.waiting), number: true,
    title: 'Part of the time in which it had work and not its turn' },
  { key: 'memory', text: 'Memory', order: most((each) => each.memoryUsed) },
  { key: 'sessions', text: 'Programs', order: most((each) => each.sessions), number: true },
  { key: 'faults', text: 'Faults', order: most((each) => each.faults), number: true },
];

/** Rows that follow a measured value change places no more often than this. */
const SETTLE_MILLIS = 3000;
const MOST_SPARE = 64;

/** So many leave room below them. */
const FEW = 10;

export class Slices {
  #rows = new Map();
  #spare = [];
  #choose;
  #again;
  #column;
  #heads = new Map();
  #filter = '';
  #order = [];
  #sorted = 0;
  #watch = new IntersectionObserver((changes) => {
    for (const each of changes) {
      each.target.row.seen = each.isIntersecting;
    }
  }, { rootMargin: '120px' });

  /** @param again draws the page anew */
  constructor(choose, again) {
    this.#choose = choose;
    this.#again = again;
    this.#column = COLUMNS.find((each) => each.order && each.key === load('sort', 'name')) ?? COLUMNS[0];
    this.#controls();
    this.#keys();
  }

  #controls() {
    const head = element('tr');
    const select = byId('sort');
    for (const each of COLUMNS) {
      const cell = element('th', { scope: 'col', class: each.number ? 'number' : '' });
      if (each.order) {
        const button = element('button', { type: 'button', title: each.title ?? `Sort by ${each.text.toLowerCase()}` }, each.text);
        button.addEventListener('click', () => this.#sortBy(each));
        cell.append(button);
        this.#heads.set(each, cell);
        select.append(element('option', { value: each.key }, `Sort: ${each.text.toLowerCase()}`));
      }
      head.append(cell);
    }
    byId('head').append(head);
    select.addEventListener('change', () => this.#sortBy(COLUMNS.find((each) => each.key === select.value)));
    this.#sortBy(this.#column);
    byId('filter').addEventListener('input', (event) => {
      this.#filter = event.target.value.trim().toLowerCase();
      this.#sorted = 0;
      this.#again();
    });
    byId('rows').addEventListener('click', (event) => {
      const row = event.target.closest('tr');
      if (row) {
        this.#choose(row.dataset.slice);
      }
    });
  }

  /** Arrows go from slice to slice; a slash goes to the filter. */
  #keys() {
    byId('rows').addEventListener('keydown', (event) => {
      const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
      const next = step && event.target.closest('tr')?.[step];
      if (next) {
        next.row.button.focus();
        event.preventDefault();
      }
    });
    document.addEventListener('keydown', (event) => {
      if (event.key === '/' && !event.target.closest('input, dialog, select')) {
        byId('filter').focus();
        event.preventDefault();
      }
    });
  }

  #sortBy(column) {
    this.#column = column;
    this.#sorted = 0;
    save('sort', column.key);
    byId('sort').value = column.key;
    for (const [each, cell] of this.#heads) {
      if (each === column) {
        cell.setAttribute('aria-sort', each.key === 'name' ? 'ascending' : 'descending');
      } else {
        cell.removeAttribute('aria-sort');
      }
    }
    this.#again();
  }

  show(view) {
    const names = new Set(view.slices.map((each) => each.name));
    for (const [name, row] of this.#rows) {
      if (!names.has(name)) {
        this.#rows.delete(name);
        this.#watch.unobserve(row.node);
        row.node.remove();
        if (this.#spare.length < MOST_SPARE) {
          this.#spare.push(row);
        }
        this.#sorted = 0;
      }
    }
    for (const slice of view.slices) {
      if (!this.#rows.has(slice.name)) {
        const row = this.#spare.pop() ?? new Row();
        this.#rows.set(slice.name, row);
        this.#watch.observe(row.node);
        this.#sorted = 0;
      }
      this.#rows.get(slice.name).show(slice, view);
    }
    this.#sort(view);
    this.#order.forEach((name) => this.#rows.get(name).draw(view));
    setText(byId('slices-count'), this.#order.length === names.size
      ? String(names.size)
      : `${this.#order.length} of ${names.size}`);
    setHidden(byId('no-match'), this.#order.length > 0);
    byId('table').setAttribute('aria-label', plural(this.#order.length, 'slice', 'slices'));
    const alone = view.slices.length === 1 && view.slices[0].name === 'default';
    setHidden(byId('no-slices'), !alone);
    byId('columns').classList.toggle('few', view.slices.length <= FEW);
  }

  #sort({ slices, devices }) {
    const now = performance.now();
    if (this.#sorted && now - this.#sorted < SETTLE_MILLIS) {
      return;
    }
    this.#sorted = now;
    const text = (each) => `${each.name} ${each.policy} ${each.container ?? ''} ${where(each, devices)}`.toLowerCase();
    this.#order = slices
      .filter((each) => text(each).includes(this.#filter))
      .sort(this.#column.order)
      .map((each) => each.name);
    arrange(byId('rows'), this.#order.map((each) => this.#rows.get(each).node));
  }
}
