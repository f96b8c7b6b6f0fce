// Light, dark, or as the system has it; and the colours as the plots need them.

import { byId } from './dom.js';
import { load, save } from './settings.js';

const ORDER = ['auto', 'light', 'dark'];
const SIGNS = { auto: '◐', light: '☀', dark: '☾' };
const WORDS = { auto: 'as the system', light: 'light', dark: 'dark' };

/** Colours for slices, then one for all the others. Okabe and Ito's, which differ for everybody. */
export const COLOURS = 7;

const probe = document.createElement('span');
const seen = new Map();

/** A colour of the style sheet as a canvas takes it. */
export function colour(name) {
  let value = seen.get(name);
  if (!value) {
    probe.style.color = `var(--${name})`;
    value = getComputedStyle(probe).color;
    seen.set(name, value);
  }
  return value;
}

/** @param changed is called when colours are others */
export function watchTheme(changed) {
  probe.hidden = true;
  document.body.append(probe);
  const button = byId('theme');
  let chosen = load('theme', 'auto');
  const apply = () => {
    if (chosen === 'auto') {
      delete document.documentElement.dataset.theme;
    } else {
      document.documentElement.dataset.theme = chosen;
    }
    button.textContent = SIGNS[chosen];
    const text = `Colours: ${WORDS[chosen]}`;
    button.title = text;
    button.setAttribute('aria-label', `${text}. Change`);
    seen.clear();
    changed();
  };
  button.addEventListener('click', () => {
    chosen = ORDER[(ORDER.indexOf(chosen) + 1) % ORDER.length];
    save('theme', chosen);
    apply();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
  if (!ORDER.includes(chosen)) {
    chosen = 'auto';
  }
  apply();
}

/** Gives each slice a colour that as few others as possible have, for as long as it is there. */
export class Palette {
  #given = new Map();
  #users = new Array(COLOURS).fill(0);

  update(names) {
    for (const [name, index] of this.#given) {
      if (!names.has(name)) {
        this.#given.delete(name);
        this.#users[index]--;
      }
    }
    for (const name of names) {
      if (!this.#given.has(name)) {
        const index = this.#users.indexOf(Math.min(...this.#users));
        this.#given.set(name, index);
        this.#users[index]++;
      }
    }
  }

  /** Name of the slice's colour in the style sheet. */
  of(name) {
    const index = this.#given.get(name);
    return index === undefined ? 'others' : `slice-${index}`;
  }
}
