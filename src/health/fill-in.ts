/**
 * Fills in the text of a condition, in the subset of Prometheus' template language that config/conditions.ts uses.
 * Pure.
 */

const placeholder = /\{\{ \$(?:labels\.(\w+)|value(?: \| (\w+))?) \}\}/g

export function fillIn(text: string, labels: Readonly<Record<string, string>>, value: number): string {
  return text.replace(placeholder, (_match, label: string | undefined, form: string | undefined) => {
    if (label !== undefined) return labels[label] ?? ''
    if (form === 'humanizeDuration') return durationOf(value)
    return form === 'humanizePercentage' ? `${Number((value * 100).toPrecision(4))}%` : String(value)
  })
}

/** In Prometheus' format: `2h 16m 0s`. */
function durationOf(seconds: number): string {
  const sign = seconds < 0 ? '-' : ''
  const whole = Math.floor(Math.abs(seconds))
  const parts = [Math.floor(whole / 86_400), Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60]
  const first = parts.findIndex((part) => part > 0)
  const shown = parts.map((part, place) => `${part}${'dhms'[place]}`).slice(first < 0 ? 3 : first)
  return `${sign}${shown.join(' ')}`
}
