// What happened last, newest first. A fixed number of nodes, used again and again.

import { byId, element, setHidden, setText } from './dom.js';
import { clock } from './format.js';

const MOST = 50;

/** How an event looks: bad, good or neither. */
const MOODS = {
  fault: 'bad', refused: 'bad', 'slice-created': 'good', 'container-started': 'good',
  'session-opened': 'good', 'memory-moved': 'moved', 'node-connected': 'good', 'node-lost': 'bad',
};

export class Events {
  last = 0; // sequence of the newest that is shown
  #events = [];
  #nodes = [];
  #choose;

  constructor(choose) {
    this.#choose = choose;
    byId('events').addEventListener('click', (event) => {
      const name = event.target.closest('[data-slice]')?.dataset.slice;
      if (name) {
        this.#choose(name);
      }
    });
  }

  /** What to ask for, when the daemon's newest is this one; nothing when it is shown already. */
  query(newest) {
    if (newest < this.last) {
      // Numbers begin anew with the daemon.
      this.last = 0;
      this.#events.length = 0;
    }
    return newest > this.last ? `events?since=${Math.max(this.last, newest - MOST)}&limit=${MOST}` : '';
  }

  merge(answer) {
    for (const each of answer.events) {
      if (each.sequence > this.last) {
        this.#events.unshift(each);
        this.last = each.sequence;
      }
    }
    this.#events.length = Math.min(this.#events.length, MOST);
    this.#show();
  }

  #show() {
    while (this.#nodes.length < this.#events.length) {
      const node = {
        time: element('time'), kind: element('span', { class: 'kind' }),
        slice: element('button', { type: 'button', class: 'link' }), text: element('span', { class: 'text' }),
      };
      node.item = element('li', {}, node.time, node.kind, node.slice, node.text);
      this.#nodes.push(node);
      byId('events').append(node.item);
    }
    this.#nodes.forEach((node, i) => {
      const event = this.#events[i];
      setHidden(node.item, !event);
      if (event) {
        node.item.className = MOODS[event.kind] ?? '';
        setText(node.time, clock(event.time));
        setText(node.kind, event.kind.replaceAll('-', ' '));
        setText(node.slice, event.slice ?? '');
        setHidden(node.slice, !event.slice);
        node.slice.dataset.slice = event.slice ?? '';
        setText(node.text, event.text ?? '');
      }
    });
    setHidden(byId('no-events'), this.#events.length > 0);
  }
}
