// Numbers with their units, as people read them.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
const THIN = '\u202f'; // between number and unit

export const NONE = '–';

export function percent(value) {
  if (!Number.isFinite(value)) {
    return NONE;
  }
  return `${value === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)}${THIN}%`;
}

/** Without digits behind the point where there are none. */
export function roundPercent(value) {
  return Number.isFinite(value) ? `${Math.round(value * 10) / 10}${THIN}%` : NONE;
}

export function bytes(value) {
  if (!Number.isFinite(value)) {
    return NONE;
  }
  let unit = 0;
  let number = value;
  while (number >= 1024 && unit < UNITS.length - 1) {
    number /= 1024;
    unit++;
  }
  const digits = unit === 0 || number >= 100 || Number.isInteger(number) ? 0 : number >= 10 ? 1 : 2;
  return `${number.toFixed(digits)}${THIN}${UNITS[unit]}`;
}

export function count(value) {
  return Number.isFinite(value) ? value.toLocaleString('en') : NONE;
}

export function plural(value, one, many) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Whole seconds as the two largest units. */
export function duration(seconds) {
  const parts = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']];
  const first = parts.findIndex(([size]) => seconds >= size);
  if (first < 0) {
    return `0${THIN}s`;
  }
  let rest = seconds;
  return parts.slice(first, first + 2)
    .map(([size, unit]) => {
      const whole = Math.floor(rest / size);
      rest -= whole * size;
      return whole ? `${whole}${THIN}${unit}` : '';
    })
    .filter((each) => each)
    .join(' ');
}

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23',
});

export function clock(millis) {
  return CLOCK.format(millis);
}

/** Container ids are 64 digits; twelve are what people know them by. */
export function shortId(id) {
  return id.length > 16 && /^[0-9a-f]+$/.test(id) ? id.slice(0, 12) : id;
}
