/** Random choices that can be repeated: PANJI_FAULT_SEED sets the first seed, PANJI_FAULT_SEEDS how many there are. */
import { figure } from '../../support/figures.ts'

export const firstSeed = Number(process.env['PANJI_FAULT_SEED'] ?? 1)
export const seedCount = Number(process.env['PANJI_FAULT_SEEDS'] ?? figure(9, 51))

/** Minutes that the long experiments go on; the default keeps them within a test run. */
export const soakMs = Number(process.env['PANJI_FAULT_MINUTES'] ?? 0) * 60_000

/** @returns numbers in [0, 1) that depend on the seed alone (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
