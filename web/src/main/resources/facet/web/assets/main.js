// Asks the daemon once a second and shows what it says.

import { Client, NeedsToken, Unreachable } from './client.js';
import { Detail } from './detail.js';
import { Devices } from './devices.js';
import { byId, setHidden, setText } from './dom.js';
import { Events } from './events.js';
import { History } from './history.js';
import { Poller } from './poller.js';
import { Pool } from './pool.js';
import { chooseRange } from './range.js';
import { Slices } from './slices.js';
import { Palette, watchTheme } from './theme.js';
import { Tiles } from './tiles.js';
import { askToken } from './token.js';

const client = new Client();
const history = new History();
const palette = new Palette();
/** Further back than this the daemon's clock does not go, unless somebody has set it. */
const CLOCK_SECONDS = 10;

let view; // what was last shown; nothing at first
let process; // the daemon's; another one has begun anew
let chosen = decodeURIComponent(location.hash.slice(1));
let countdown = 0;

const range = chooseRange(() => {
  draw();
  poller.now();
});
const tiles = new Tiles();
const devices = new Devices(choose);
const pool = new Pool();
const slices = new Slices(choose, draw);
const detail = new Detail();
const events = new Events(choose);
const poller = new Poller(step, failed);

function choose(name) {
  chosen = name;
  // Replaced: going back should leave the page, not walk through slices.
  globalThis.history.replaceState(null, '', `#${encodeURIComponent(name)}`);
  draw();
  const panel = byId('detail');
  const box = panel.getBoundingClientRect();
  if (box.top < 0 || box.top > innerHeight - 160) {
    panel.scrollIntoView({ block: 'start' });
  }
}

async function step() {
  const seconds = range().seconds;
  const [live, past] = await Promise.all([client.get('live'), client.get(history.query(seconds))]);
  if (process !== undefined && process !== live.status.pid) {
    events.query(0);
  }
  process = live.status.pid;
  if (live.now / 1000 < history.newest - CLOCK_SECONDS) {
    history.forget();
  }
  const names = new Set(live.slices.map((each) => each.name));
  palette.update(names);
  history.merge(past, seconds, names);
  view = { ...live, history, palette, now: history.newest || Math.floor(live.now / 1000) };
  draw();
  state('live', `live · ${location.host}`);
  setHidden(byId('gone'), true);
  clearInterval(countdown);
  const query = events.query(live.lastEvent ?? 0);
  if (query) {
    events.merge(await client.get(query));
  }
}

function draw() {
  if (!view) {
    return;
  }
  const { slices: all } = view;
  if (!all.some((each) => each.name === chosen)) {
    const busiest = all.reduce((best, each) => ((each.got ?? 0) > (best?.got ?? -1) ? each : best), undefined);
    chosen = busiest?.name ?? '';
  }
  Object.assign(view, { range: range(), chosen });
  setHidden(byId('page'), false);
  tiles.show(view);
  devices.show(view);
  pool.show(view);
  slices.show(view);
  detail.show(view);
}

function state(kind, text) {
  byId('state').dataset.state = kind;
  setText(byId('state-text'), text);
  document.body.dataset.state = kind;
}

function failed(error, times, wait) {
  if (error instanceof NeedsToken) {
    state('locked', 'token wanted');
    poller.hold();
    askToken(client.hasToken, (token) => {
      client.token = token;
      poller.now();
    });
    return;
  }
  state('gone', 'no connection');
  // A mistake of the page is not one of the daemon's; it is to be seen as what it is.
  const known = error instanceof Unreachable;
  if (!known) {
    console.error(error);
  }
  setText(byId('gone-what'), known ? error.message : `The page failed: ${error.message}`);
  setHidden(byId('gone-help'), !known);
  setHidden(byId('gone'), false);
  const until = performance.now() + wait;
  clearInterval(countdown);
  const tell = () => {
    const left = Math.ceil((until - performance.now()) / 1000);
    setText(byId('gone-when'), left > 0
      ? `Trying again in ${left} s${view ? '; what you see is what it said last' : ''}.`
      : 'Trying again …');
    if (left <= 0) {
      clearInterval(countdown);
    }
  };
  tell();
  countdown = setInterval(tell, 1000);
}

byId('gone-retry').addEventListener('click', () => poller.now());
watchTheme(() => {
  devices.recolour();
  detail.recolour();
  draw();
});
poller.now();
