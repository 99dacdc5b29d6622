/** Lists in the portions that a vendor takes at once. */

export function slices<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, n) => items.slice(n * size, (n + 1) * size))
}

/** Of a call that was refused as a whole: each half goes alone, down to the culprit. */
export const halves = <T>(items: readonly T[]): T[][] => slices(items, Math.ceil(items.length / 2))
