/** Days and times at which date arithmetic tends to fail, as clocks for test runs. */

const dayMs = 86_400_000

/** The next time that it is `month`-`day` at `time` UTC. */
function next(now: Date, month: number, day: number, [hour, minute]: readonly [number, number]): number {
  for (let year = now.getUTCFullYear(); ; year++) {
    const at = new Date(Date.UTC(year, month - 1, day, hour, minute))
    if (at.getUTCDate() === day && at > now) return at.getTime()
  }
}

/** Today's or tomorrow's. */
function nextTime(now: Date, [hour, minute]: readonly [number, number]): number {
  const at = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour, minute)
  return at > now.getTime() ? at : at + dayMs
}

/** By name: the moment, computed from now. */
export const clocks: Readonly<Record<string, (now: Date) => number>> = {
  'a-day': (now) => now.getTime() + dayMs,
  'forty-days': (now) => now.getTime() + 40 * dayMs,
  'a-year': (now) => now.getTime() + 365 * dayMs,
  'leap-day': (now) => next(now, 2, 29, [6, 0]),
  /** 23:59 in India, a minute before its financial year ends. */
  'end-of-march': (now) => next(now, 3, 31, [18, 29]),
  /** A minute before the day changes in India, and a minute after. */
  'before-midnight': (now) => nextTime(now, [18, 29]),
  'after-midnight': (now) => nextTime(now, [18, 31]),
}
