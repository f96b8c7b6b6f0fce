// Asks the daemon. The token goes into a header and nowhere else; it is kept for this tab alone.

const BASE = '/api/v1/';
const PATIENCE_MILLIS = 8000;
const KEY = 'facet-token';

/** The daemon wants a token, or another one. */
export class NeedsToken extends Error {}

/** What is there is not a daemon that can answer; the message says why. */
export class Unreachable extends Error {}

function remembered() {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

export class Client {
  #token = remembered();

  get hasToken() {
    return this.#token !== '';
  }

  set token(token) {
    this.#token = token;
    try {
      sessionStorage.setItem(KEY, token);
    } catch {
      // Kept by this object until the page is loaded again.
    }
  }

  async get(path) {
    const headers = this.#token ? { Authorization: `Bearer ${this.#token}` } : {};
    let response;
    try {
      response = await fetch(BASE + path, {
        headers, cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MILLIS),
      });
    } catch (error) {
      throw new Unreachable(error.name === 'TimeoutError'
        ? 'The daemon does not answer in time.'
        : 'The daemon does not answer.');
    }
    if (response.status === 401) {
      throw new NeedsToken();
    }
    try {
      const answer = await response.json();
      if (!response.ok) {
        throw new Unreachable(`The daemon refused: ${answer.error ?? response.status}.`);
      }
      return answer;
    } catch (error) {
      throw error instanceof Unreachable ? error : new Unreachable('The daemon’s answer broke off.');
    }
  }
}
