/**
 * Token buckets in memory, with a burst and a rate per second, for many keys. Bounded in size: the least recently used
 * key is forgotten, and starts with a full bucket, as all do after a restart.
 */
import { LRUCache } from 'lru-cache'

export interface BucketSize {
  readonly atOnce: number
  readonly perSecond: number
  readonly keysMax: number
}

export interface Buckets {
  /** Takes the units if at least one is left: the last one may cover more. @returns whether it did. */
  take(key: string, units?: number): boolean
  /** Units left. */
  left(key: string): number
  /** Whole seconds until a unit is available; 0 if one is left. */
  waitSeconds(key: string): number
}

/** @param nowMs a monotonic clock. */
export function createBuckets(size: BucketSize, nowMs: () => number = () => performance.now()): Buckets {
  const levels = new LRUCache<string, { readonly left: number; readonly atMs: number }>({ max: size.keysMax })

  const leftAt = (key: string, now: number): number => {
    const known = levels.get(key)
    if (known === undefined) return size.atOnce
    return Math.min(size.atOnce, known.left + ((now - known.atMs) / 1000) * size.perSecond)
  }

  const left = (key: string) => leftAt(key, nowMs())
  return {
    take(key, units = 1) {
      const atMs = nowMs()
      const before = leftAt(key, atMs)
      if (before < 1) return false
      levels.set(key, { left: before - units, atMs })
      return true
    },
    left,
    waitSeconds(key) {
      const missing = 1 - left(key)
      return missing <= 0 ? 0 : Math.max(1, Math.ceil(missing / size.perSecond))
    },
  }
}
