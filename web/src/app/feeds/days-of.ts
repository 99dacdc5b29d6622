/** Registrations by day, summed over all states. */
export interface DayCount {
  readonly day: string
  readonly total: number
}

const daySeconds = 86_400

/**
 * Counts by day over all states, keyed by the second at which the day begins, oldest first; days without any are
 * included.
 */
export function totalsOf(days: readonly DayCount[]): [number, number][] {
  const sums = new Map<number, number>()
  for (const { day, total } of days) {
    const at = Date.parse(`${day}T00:00:00Z`) / 1000
    sums.set(at, (sums.get(at) ?? 0) + total)
  }
  const [first, last] = [Math.min(...sums.keys()), Math.max(...sums.keys())]
  const length = (last - first) / daySeconds + 1
  return Array.from({ length }, (_, index) => first + index * daySeconds).map((at) => [at, sums.get(at) ?? 0])
}
