// Once a second while the page is seen; more and more seldom while the daemon does not answer.

const PERIOD_MILLIS = 1000;
const LONGEST_MILLIS = 30_000;

export class Poller {
  #step;
  #failed;
  #timer = 0;
  #failures = 0;
  #running = false;
  #held = false;

  /**
   * @param step asks and shows; throws when there is no answer
   * @param failed is told the error, how often in a row, and the milliseconds until the next try
   */
  constructor(step, failed) {
    this.#step = step;
    this.#failed = failed;
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) {
        clearTimeout(this.#timer);
      } else {
        this.now();
      }
    });
  }

  /** Asks at once, and goes on from there. */
  now() {
    this.#held = false;
    clearTimeout(this.#timer);
    if (!this.#running) {
      this.#tick();
    }
  }

  /** Stops until now() is called. */
  hold() {
    this.#held = true;
    clearTimeout(this.#timer);
  }

  async #tick() {
    const began = performance.now();
    let wait = PERIOD_MILLIS;
    this.#running = true;
    try {
      await this.#step();
      this.#failures = 0;
    } catch (error) {
      this.#failures++;
      wait = Math.min(LONGEST_MILLIS, PERIOD_MILLIS * 2 ** (this.#failures - 1));
      this.#failed(error, this.#failures, wait);
    } finally {
      this.#running = false;
    }
    if (!document.hidden && !this.#held) {
      const spent = this.#failures ? 0 : performance.now() - began;
      this.#timer = setTimeout(() => this.#tick(), Math.max(100, wait - spent));
    }
  }
}
