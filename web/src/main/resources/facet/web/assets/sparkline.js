// A line as high as text: what a slice got, and what it was promised.

import { colour } from './theme.js';

const WIDTH = 132;
const HEIGHT = 28;

export class Sparkline {
  #context;
  #scale = 0;

  constructor() {
    this.canvas = document.createElement('canvas');
    this.canvas.className = 'spark';
    this.canvas.setAttribute('aria-hidden', 'true');
    this.#context = this.canvas.getContext('2d');
  }

  #prepare() {
    const scale = globalThis.devicePixelRatio || 1;
    if (scale !== this.#scale) {
      this.#scale = scale;
      this.canvas.width = WIDTH * scale;
      this.canvas.height = HEIGHT * scale;
    }
    this.#context.setTransform(scale, 0, 0, scale, 0, 0);
    this.#context.clearRect(0, 0, WIDTH, HEIGHT);
  }

  /** Each has its own scale: how much it is, the bar beside it says. */
  draw(ring, range, now, name) {
    this.#prepare();
    const context = this.#context;
    const step = range.seconds / WIDTH;
    const wanted = ring.at(now, 'wanted');
    const top = 1.1 * Math.max(1, wanted || 0, ring.highest(now - range.seconds, now + 1, 'got'));
    const height = (value) => HEIGHT - 1.5 - Math.min(1, value / top) * (HEIGHT - 4);
    const value = (x, field) => {
      const to = Math.round(now - range.seconds + (x + 1) * step) + 1;
      const from = Math.min(to - 1, Math.round(now - range.seconds + x * step) + 1);
      return ring.mean(from, to, field);
    };

    context.fillStyle = colour(name);
    context.strokeStyle = colour(name);
    context.lineWidth = 1.5;
    context.lineJoin = 'round';
    let start = -1; // where the line began that is being drawn
    context.beginPath();
    const close = (end) => {
      if (start >= 0) {
        context.stroke();
        context.lineTo(end, HEIGHT);
        context.lineTo(start, HEIGHT);
        context.globalAlpha = 0.22;
        context.fill();
        context.globalAlpha = 1;
        context.beginPath();
        start = -1;
      }
    };
    for (let x = 0; x < WIDTH; x++) {
      const got = value(x, 'got');
      if (Number.isNaN(got)) {
        close(x - 1);
      } else if (start < 0) {
        start = x;
        context.moveTo(x, height(got));
      } else {
        context.lineTo(x, height(got));
      }
    }
    close(WIDTH - 1);

    if (wanted > 0) {
      context.strokeStyle = colour('promise');
      context.lineWidth = 1;
      context.setLineDash([3, 2]);
      context.beginPath();
      context.moveTo(0, Math.round(height(wanted)) + 0.5);
      context.lineTo(WIDTH, Math.round(height(wanted)) + 0.5);
      context.stroke();
      context.setLineDash([]);
    }
  }
}
