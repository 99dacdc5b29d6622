/**
 * Generates the rules in ops/prometheus/alerts.yaml that are conditions of config/conditions.ts: everything after the
 * marker.
 */
import { type Condition, conditions, type Threshold } from '../config/conditions.ts'

const marker = '  # Made by `npm run docs` from config/conditions.ts, to the end; changes made here are lost.\n'

/** @param present the current file; everything before the marker is kept. */
export function renderAlerts(present: string): string {
  const at = present.indexOf(marker)
  if (at < 0) throw new Error('ops/prometheus/alerts.yaml has lost the line that begins what is made')
  return `${present.slice(0, at)}${marker}  - name: panji-conditions\n    rules:\n${conditions.map(ruleOf).join('')}`
}

function ruleOf({ alert, severity, when, forSeconds, summary, remedy }: Condition): string {
  const lines = [
    `- alert: ${alert}`,
    `  expr: ${when.map(expressionOf).join(' or ')}`,
    ...(forSeconds === undefined ? [] : [`  for: ${durationOf(forSeconds)}`]),
    `  labels: { severity: ${severity} }`,
    '  annotations:',
    `    summary: ${JSON.stringify(summary)}`,
    `    remedy: ${JSON.stringify(remedy)}`,
  ]
  return lines.map((line) => `      ${line}\n`).join('')
}

export function expressionOf(when: Threshold | string): string {
  if (typeof when === 'string') return `absent(${when})`
  const { series, where = {}, by, pick = 'max', is, bound, shareOf } = when
  const grouped = by === undefined ? pick : `${pick} by (${by.join(', ')}) `
  const own = `${series}${labelsOf(where)}`
  const all = shareOf && `${series}${labelsOf({ [shareOf.label]: [shareOf.value] })}`
  const value = shareOf ? `${own} / ignoring (${shareOf.label}) ${all}` : own
  return `${grouped}(${value}) ${is} ${bound}`
}

function labelsOf(where: Readonly<Record<string, readonly string[]>>): string {
  const terms = Object.entries(where).map(([label, values]) =>
    values.length === 1 ? `${label}="${values[0]}"` : `${label}=~"${values.join('|')}"`,
  )
  return terms.length === 0 ? '' : `{${terms.join(',')}}`
}

const units = [
  [3600, 'h'],
  [60, 'm'],
  [1, 's'],
] as const

function durationOf(seconds: number): string {
  const [size, unit] = units.find(([each]) => seconds % each === 0) ?? [1, 's']
  return `${seconds / size}${unit}`
}
