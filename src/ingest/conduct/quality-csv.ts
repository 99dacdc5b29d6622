/** Quality as a table for spreadsheets: a row per run, a column for each count and share that any of the runs has. */
import { stringify } from 'csv-stringify/sync'
import { guarded } from '../../domain/formula-guard.ts'
import type { RunQuality } from './quality.ts'

const plain = [
  ...['run_id', 'source', 'status', 'as_of', 'finished_at', 'rows_read', 'inserted', 'updated', 'unchanged'],
  ...['skipped', 'closed', 'rejected', 'checked', 'districts_resolved'],
] as const satisfies readonly (keyof RunQuality)[]
const grouped = ['rejects', 'repaired', 'unknown_words', 'empty_shares'] as const

/** As read from the database, or as the API returns it, with times as text. */
type ExportedQuality = Omit<RunQuality, 'status' | 'finished_at' | 'header_drift'> & {
  readonly status: string
  readonly finished_at: Date | string | null
  readonly header_drift: object | null
}

export function qualityCsv(runs: readonly ExportedQuality[]): string {
  const nested = grouped.flatMap((group) => {
    const names = new Set(runs.flatMap((run) => Object.keys(run[group])))
    return [...names].sort().map((name) => ({ group, name }))
  })
  const header = [...plain, ...nested.map(({ group, name }) => `${group}.${name}`), 'header_drift']
  const rows = runs.map((run) => [
    ...plain.map((name) => cell(run[name])),
    ...nested.map(({ group, name }) => cell(run[group][name] ?? (group === 'empty_shares' ? null : 0))),
    run.header_drift ? guarded(JSON.stringify(run.header_drift)) : '',
  ])
  return stringify([header, ...rows], { record_delimiter: 'windows' })
}

const cell = (value: string | number | Date | null): string =>
  value instanceof Date ? value.toISOString() : value === null ? '' : guarded(String(value))
