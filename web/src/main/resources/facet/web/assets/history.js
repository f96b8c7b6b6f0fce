// What was measured, one value a second for an hour, in rings of a fixed size.

export const SECONDS = 3600;

/** Named series of one slice or device. */
export class Ring {
  last = 0; // second since 1970 of the newest value

  constructor(fields) {
    this.series = Object.fromEntries(fields.map((each) => [each, new Float32Array(SECONDS).fill(NaN)]));
  }

  clear() {
    this.last = 0;
    this.on?.clear();
    Object.values(this.series).forEach((each) => each.fill(NaN));
  }

  /** What lies between the newest value and this second was not measured. */
  #advance(second) {
    const from = Math.max(this.last + 1, second - SECONDS + 1);
    for (let at = from; at <= second; at++) {
      for (const field in this.series) {
        this.series[field][at % SECONDS] = NaN;
      }
    }
    this.last = second;
  }

  put(second, field, value) {
    if (second > this.last) {
      this.#advance(second);
    }
    if (second > this.last - SECONDS && this.series[field]) {
      this.series[field][second % SECONDS] = value ?? NaN;
    }
  }

  at(second, field) {
    return second > this.last - SECONDS && second <= this.last ? this.series[field]?.[second % SECONDS] ?? NaN : NaN;
  }

  highest(from, to, field) {
    let highest = 0;
    for (let second = from; second < to; second++) {
      const value = this.at(second, field);
      highest = value > highest ? value : highest;
    }
    return highest;
  }

  /** Mean of what was measured in these seconds; NaN when nothing was. */
  mean(from, to, field) {
    let sum = 0;
    let count = 0;
    for (let second = from; second < to; second++) {
      const value = this.at(second, field);
      if (!Number.isNaN(value)) {
        sum += value;
        count++;
      }
    }
    return count ? sum / count : NaN;
  }
}

const SLICE_FIELDS = ['got', 'wanted', 'waiting', 'memoryUsed'];
const ON_FIELDS = ['got']; // of a slice on one of several devices, also on those that it has left
const DEVICE_FIELDS = ['busy', 'memoryUsed'];
const MOST_SPARE = 64;
const NEVER_THERE = new Ring([]);

export class History {
  slices = new Map();
  devices = new Map();
  newest = 0; // second of the newest sample of all
  #covered = 0; // seconds before the newest that were asked for
  #spare = [];

  /** What to ask for so that this many seconds are there. */
  query(seconds) {
    if (this.newest === 0 || seconds > this.#covered) {
      return `history?seconds=${seconds}&step=1`;
    }
    return `history?since=${this.newest}&step=1`;
  }

  /**
   * @param answer columns, as /api/v1/history has them
   * @param names slices that are there; others are let go
   */
  merge(answer, seconds, names) {
    for (const each of answer.slices) {
      if (names.has(each.name)) {
        this.#put(this.slice(each.name), SLICE_FIELDS, each, answer);
        for (const [device, got] of Object.entries(each.gotOn ?? {})) {
          this.#put(this.#on(each.name, Number(device)), ON_FIELDS, { got }, answer);
        }
      }
    }
    for (const each of answer.devices) {
      if (!this.devices.has(each.device)) {
        this.devices.set(each.device, new Ring(DEVICE_FIELDS));
      }
      this.#put(this.devices.get(each.device), DEVICE_FIELDS, each, answer);
    }
    for (const [name, ring] of this.slices) {
      if (!names.has(name)) {
        this.slices.delete(name);
        if (this.#spare.length < MOST_SPARE) {
          this.#spare.push(ring);
        }
      }
    }
    this.#covered = Math.max(this.#covered, seconds);
  }

  slice(name) {
    let ring = this.slices.get(name);
    if (!ring) {
      ring = this.#spare.pop() ?? new Ring(SLICE_FIELDS);
      ring.clear();
      this.slices.set(name, ring);
    }
    return ring;
  }

  #on(name, device) {
    const ring = this.slice(name);
    ring.on ??= new Map();
    if (!ring.on.has(device)) {
      ring.on.set(device, new Ring(ON_FIELDS));
    }
    return ring.on.get(device);
  }

  /** What a slice had of one device. Where there is one that is all it had. */
  sliceOn(name, device) {
    return this.devices.size > 1 ? this.slice(name).on?.get(device) ?? NEVER_THERE : this.slice(name);
  }

  #put(ring, fields, columns, answer) {
    for (const field of fields) {
      const values = columns[field] ?? [];
      for (let i = 0; i < values.length; i++) {
        ring.put(answer.start + i * answer.step, field, values[i]);
      }
      if (values.length) {
        this.newest = Math.max(this.newest, answer.start + (values.length - 1) * answer.step);
      }
    }
  }

  /** For a daemon whose clock was set back. */
  forget() {
    this.newest = 0;
    this.#covered = 0;
    this.slices.forEach((each) => each.clear());
    this.devices.forEach((each) => each.clear());
  }
}
