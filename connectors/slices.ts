/** Splits lists into portions that a vendor accepts at once. */

export function slices<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, n) => items.slice(n * size, (n + 1) * size))
}

/** For a call that was refused as a whole: each half is sent alone, down to the single row at fault. */
export const halves = <T>(items: readonly T[]): T[][] => slices(items, Math.ceil(items.length / 2))
