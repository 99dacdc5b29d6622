/** Finds the conditions of config/conditions.ts that hold for the samples, with the same rules as Prometheus. Pure. */
import { type Condition, conditions, type Threshold } from '../../config/conditions.ts'
import { fillIn } from './fill-in.ts'

export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}
/** By the name of the series; one without samples is not evaluated. */
export type Samples = ReadonlyMap<string, readonly Sample[]>

export interface Finding {
  /** Unchanged for as long as the cause is the same. */
  readonly cause: string
  readonly type: string
  readonly severity: Condition['severity']
  readonly labels: Readonly<Record<string, string>>
  readonly summary: string
  readonly remedy: string
  readonly forSeconds: number
  readonly againAfterHours: readonly number[]
}

/** @param instance the measured process, for samples that concern only it. */
export function findConditions(samples: Samples, instance: string): Finding[] {
  const found = new Map<string, Finding>()
  for (const condition of conditions as readonly Condition[]) {
    for (const { labels, value } of condition.when.flatMap((when) => holding(when, samples, instance))) {
      const cause = causeOf(condition.type, labels)
      if (!found.has(cause)) found.set(cause, findingOf(condition, cause, labels, value))
    }
  }
  return [...found.values()]
}

const causeOf = (type: string, labels: Readonly<Record<string, string>>): string =>
  [
    type,
    ...Object.keys(labels)
      .toSorted()
      .map((name) => `${name}=${labels[name]}`),
  ].join(' ')

function findingOf(condition: Condition, cause: string, labels: Sample['labels'], value: number): Finding {
  const { type, severity, summary, remedy, forSeconds = 0, againAfterHours = [] } = condition
  return { cause, type, severity, labels, summary: fillIn(summary, labels, value), remedy, forSeconds, againAfterHours }
}

function holding(when: Threshold | string, samples: Samples, instance: string): Sample[] {
  if (typeof when === 'string') return samples.has(when) ? [] : [{ labels: {}, value: 1 }]
  const { by = [], pick = 'max', is, bound } = when
  const groups = new Map<string, Sample>()
  for (const sample of chosen(when, samples)) {
    const all: Sample['labels'] = { instance, ...sample.labels }
    const labels = Object.fromEntries(by.map((name) => [name, all[name] ?? '']))
    const key = JSON.stringify(labels)
    const before = groups.get(key)?.value
    const value = before === undefined ? sample.value : Math[pick](before, sample.value)
    groups.set(key, { labels, value })
  }
  return [...groups.values()].filter(({ value }) => exceeds[is](value, bound))
}

const exceeds = {
  '>': (value: number, bound: number) => value > bound,
  '>=': (value: number, bound: number) => value >= bound,
  '<': (value: number, bound: number) => value < bound,
} as const

function chosen({ series, where = {}, shareOf }: Threshold, samples: Samples): readonly Sample[] {
  const all = samples.get(series) ?? []
  const own = all.filter(({ labels }) =>
    Object.entries(where).every(([name, values]) => values.includes(labels[name] ?? '')),
  )
  if (!shareOf) return own
  const whole = all.find(({ labels }) => labels[shareOf.label] === shareOf.value)
  return whole ? own.map(({ labels, value }) => ({ labels, value: value / whole.value })) : []
}
