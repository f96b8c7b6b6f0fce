// The other nodes of the pool: what they have left, and how the way there is.

import { arrange, byId, element, setHidden, setText } from './dom.js';
import { NONE, bytes, count, percent, plural } from './format.js';

const CELLS = 11;

const sum = (rows, value) => rows.reduce((total, each) => total + (value(each) ?? 0), 0);

const away = (nanos) => (nanos > 0 ? `${(nanos / 1e6).toFixed(2)}\u202fms` : NONE);

export class Pool {
  #rows = new Map();

  show({ pool, elsewhere }) {
    setHidden(byId('pool'), !pool?.joined);
    if (!pool?.joined) {
      return;
    }
    setText(byId('pool-own'), `This is node ${pool.node}, which ${pool.listens ? `listens at ${pool.listens}` : 'lends nothing'}. `
      + `${plural(pool.lent, 'slice', 'slices')} of its devices for others, ${plural(pool.sessions, 'program', 'programs')} on them.`
      + (pool.draining ? ` It drains${pool.empty ? ', and is empty.' : '.'}` : ''));
    const keys = new Set(pool.nodes.map(Pool.#key));
    for (const key of this.#rows.keys()) {
      if (!keys.has(key)) {
        this.#rows.delete(key);
      }
    }
    arrange(byId('pool-nodes'), pool.nodes.map((node) => this.#row(node, elsewhere ?? [])));
    setHidden(byId('pool-none'), pool.nodes.length > 0);
  }

  static #key(node) {
    return `${node.node} ${node.address}`;
  }

  #row(node, elsewhere) {
    const key = Pool.#key(node);
    let row = this.#rows.get(key);
    if (!row) {
      row = element('tr', { 'data-node': node.node }, ...Array.from({ length: CELLS }, () => element('td')));
      this.#rows.set(key, row);
    }
    const devices = elsewhere.filter((each) => each.node === node.node);
    const rest = devices.length ? Math.max(...devices.map((each) => each.timeRest)) : NaN;
    const texts = [
      node.node || node.address, count(node.devices), devices.length ? bytes(sum(devices, (each) => each.free)) : NONE,
      percent(rest), away(node.roundTripNanos), count(node.sessions), count(node.roundTrips), bytes(node.sent),
      bytes(node.received), count(node.resumes), node.state,
    ];
    texts.forEach((text, i) => setText(row.children[i], text));
    row.classList.toggle('lost', !node.connected);
    return row;
  }
}
