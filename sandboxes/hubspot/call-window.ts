/** Counts calls as HubSpot does, per app in rolling ten seconds and per account in a day, and writes its headers. */
export class CallWindow {
  readonly #callsMax: number
  readonly #windowMs: number
  #times: number[] = []

  constructor(callsMax: number, windowMs = 10_000) {
    this.#callsMax = callsMax
    this.#windowMs = windowMs
  }

  /** @returns false if the window is full; the call is not counted then. */
  admit(now: number): boolean {
    this.#times = this.#times.filter((time) => time > now - this.#windowMs)
    if (this.#times.length >= this.#callsMax) return false
    this.#times.push(now)
    return true
  }

  clear(): void {
    this.#times = []
  }

  headers(callsToday: number, dailyMax: number): Readonly<Record<string, string>> {
    return {
      'x-hubspot-ratelimit-daily': String(dailyMax),
      'x-hubspot-ratelimit-daily-remaining': String(Math.max(0, dailyMax - callsToday)),
      'x-hubspot-ratelimit-interval-milliseconds': String(this.#windowMs),
      'x-hubspot-ratelimit-max': String(this.#callsMax),
      'x-hubspot-ratelimit-remaining': String(Math.max(0, this.#callsMax - this.#times.length)),
    }
  }
}
