/**
 * So much at once, and so much a second again, for each of many keys; bounded in size: the key that was seen longest
 * ago is forgotten, and begins with all that there is.
 */
import { LRUCache } from 'lru-cache'

export interface AllowanceSize {
  readonly atOnce: number
  readonly perSecond: number
  readonly keysMax: number
}

export interface Allowance {
  /** Takes so many units where at least one is left: the last of them may be worth more. @returns whether it did. */
  take(key: string, units: number): boolean
  /** Units that are left. */
  left(key: string): number
}

/** @param nowMs a clock that only goes forward. */
export function createAllowance(size: AllowanceSize, nowMs: () => number): Allowance {
  const levels = new LRUCache<string, { readonly left: number; readonly atMs: number }>({ max: size.keysMax })
  const leftAt = (key: string, now: number): number => {
    const known = levels.get(key)
    if (known === undefined) return size.atOnce
    return Math.min(size.atOnce, known.left + ((now - known.atMs) / 1000) * size.perSecond)
  }
  return {
    take(key, units) {
      const atMs = nowMs()
      const left = leftAt(key, atMs)
      if (left < 1) return false
      levels.set(key, { left: left - units, atMs })
      return true
    },
    left: (key) => leftAt(key, nowMs()),
  }
}
