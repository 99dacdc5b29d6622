/** Figures of limits for a page. */

export const seconds = (ms: number): string => (ms >= 3_600_000 ? `${ms / 3_600_000} h` : `${ms / 1000} s`)

export function bytes(count: number): string {
  if (count % 1_048_576 === 0) return `${count / 1_048_576} MiB`
  if (count % 1024 === 0) return `${count / 1024} KiB`
  return count >= 1_000_000 ? `${count / 1_000_000} MB` : `${count / 1000} kB`
}

/** Several figures together; null where there is no limit. */
export const each = (values: readonly (number | null)[]): string =>
  values.map((value) => (value === null ? 'no limit' : String(value))).join(' / ')

export const perPlan = <T>(plans: Readonly<Record<string, T>>, say: (plan: T) => string): string =>
  Object.entries(plans)
    .map(([name, plan]) => `${name} ${say(plan)}`)
    .join('; ')
