// How much of the past is shown.

import { byId, element } from './dom.js';
import { load, save } from './settings.js';

/** seconds; between marks of the time axis; in a point of a plot */
const RANGES = [
  { seconds: 60, mark: 15, bin: 1, text: '1 min' },
  { seconds: 300, mark: 60, bin: 2, text: '5 min' },
  { seconds: 900, mark: 180, bin: 6, text: '15 min' },
  { seconds: 1800, mark: 360, bin: 12, text: '30 min' },
  { seconds: 3600, mark: 600, bin: 24, text: '1 h' },
];

/** The most points that a plot has. */
export const POINTS = Math.max(...RANGES.map((each) => each.seconds / each.bin)) + 1;

/** Builds the choice; gives a function that tells what is chosen. */
export function chooseRange(changed) {
  const field = byId('range');
  const kept = Number(load('range', 300));
  let chosen = RANGES.find((each) => each.seconds === kept) ?? RANGES[1];
  for (const each of RANGES) {
    const input = element('input', { type: 'radio', name: 'range', id: `range-${each.seconds}` });
    input.checked = each === chosen;
    input.addEventListener('change', () => {
      chosen = each;
      save('range', String(each.seconds));
      changed();
    });
    field.append(input, element('label', { for: input.id }, each.text));
  }
  return () => chosen;
}

/** A moment of the past as the time axis names it. */
export function age(seconds) {
  if (seconds <= 0) {
    return 'now';
  }
  return seconds < 60 ? `−${seconds} s` : `−${Math.round(seconds / 60)} min`;
}
