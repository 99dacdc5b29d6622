/** One ingest run for people: row counts, and everything in its report. */

import { shownInstant } from '../domain/shown-instant.ts'
import { visible } from '../domain/visible.ts'
import type { RunReport } from '../ingest/conduct/run-report.ts'
import type { RunDecision } from '../ingest/run/decision.ts'
import type { RunProgress, RunRecord } from '../ingest/run/runs.ts'

/** Also as the API returns it, where timestamps are text. */
export interface ShownRun
  extends Omit<RunRecord, 'created_at' | 'started_at' | 'finished_at' | 'approved_at' | 'progress'> {
  readonly finished_at: RunRecord['finished_at'] | string
  readonly progress: { readonly [Name in keyof RunProgress]?: RunProgress[Name] | undefined }
}

const number = (value: number): string => value.toLocaleString('en-IN')
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e5 ? 3 : 1)} MB`
const words = (list: readonly string[] | undefined): string =>
  list && list.length > 0 ? list.map((word) => visible(word)).join(', ') : 'none'
const counts = (each: Readonly<Record<string, number>> | undefined): string =>
  words(Object.entries(each ?? {}).map(([name, count]) => `${name} ${number(count)}`))

const mappedText = (map: Readonly<Record<string, string>>): string =>
  words(Object.entries(map).map(([column, field]) => `${column} → ${field}`))

export function runText(run: ShownRun): string {
  const lines = [`run ${run.run_id} of ${run.source}: ${run.status}${run.error ? ` (${run.error.code})` : ''}`]
  const add = (label: string, text: string | undefined): void => {
    if (text !== undefined) lines.push(`  ${label.padEnd(14)}${text}`)
  }
  add('taken back', run.undone_by === null ? undefined : `by run ${run.undone_by}`)
  add('decided', run.decision === null ? undefined : decisionText(run.decision))
  add('why', run.error?.message ?? reasonOf(run))
  add('input', `${visible(run.input)}, ${run.mode} of ${run.as_of}`)
  add('file', run.sha256 === null ? undefined : `${megabytes(run.bytes ?? 0)}, sha256 ${run.sha256}`)
  add('columns', run.error?.code === 'HEADER_MISMATCH' && run.header ? shorten(run.header) : undefined)
  add('mapped', run.column_map ? mappedText(run.column_map) : undefined)
  add('rows', rowsText(run))
  add('scopes', run.scopes && run.scopes.length > 0 ? shorten(run.scopes) : undefined)
  add('progress', progressText(run))
  for (const [label, text] of reportLines(run.report)) add(label, text)
  add('took', run.seconds === null ? undefined : `${run.seconds.toFixed(1)} s`)
  return lines.join('\n')
}

const decisionText = ({ outcome, by, reason, supersede }: RunDecision): string =>
  `${outcome} by ${by}${supersede ? ', over newer runs' : ''}: ${visible(reason)}`

/** Why a successful run changed nothing. */
function reasonOf({ report }: ShownRun): string | undefined {
  const { reason } = report
  return typeof reason === 'string' ? reason : undefined
}

/** Only an applied run has rows that add up. */
function rowsText(run: ShownRun): string {
  const rejected = `${number(run.rejected)} rejected`
  if (run.undo) return undoneText(run)
  if (run.status !== 'succeeded') return `${number(run.rows_read)} read, ${rejected}; nothing applied`
  const parts = `${number(run.inserted)} inserted + ${number(run.updated)} updated + ${number(run.unchanged)} unchanged`
  const left = run.skipped > 0 ? ` + ${number(run.skipped)} skipped` : ''
  return `${number(run.rows_read)} read = ${parts}${left} + ${rejected}; ${number(run.closed)} closed`
}

function undoneText({ undo, undoes, report, closed }: ShownRun): string {
  if (undoes === null) return `undoes run ${undo?.run_id}${undo?.through ? ' and all after it' : ''}`
  const {
    withdrawn = 0,
    restored = 0,
    elsewhere = 0,
  } = report as { withdrawn?: number; restored?: number; elsewhere?: number }
  const given = elsewhere === 0 ? '' : `; ${number(elsewhere)} records of other registers without what it alone gave`
  return `${number(withdrawn)} records out of the register, ${number(restored)} as they were before; ${number(closed)} of them closed again${given}`
}

function progressText({ progress: at, finished_at }: ShownRun): string | undefined {
  if (at.step === undefined || finished_at !== null) return undefined
  const parts = [`${at.step}, ${number(at.rows ?? 0)} rows`]
  if (at.bytes_read !== undefined) parts.push(`${megabytes(at.bytes_read)} of ${megabytes(at.bytes_total ?? 0)}`)
  if (at.since !== undefined) parts.push(`since ${shownInstant(new Date(at.since))}`)
  if (at.expected_seconds !== undefined) parts.push(`about ${at.expected_seconds} s, going by the previous run`)
  return parts.join(', ')
}

/** A run that failed early has no report, or a partial one. */
function reportLines(report: Partial<RunReport>): [string, string | undefined][] {
  const { header, header_drift: drift, seconds } = report
  const orders = Object.entries(report.date_orders ?? {}).map(([field, decision]) => {
    const { order, by, day_first, month_first, ambiguous } = decision
    const read = order === null ? 'undecided' : order === 'dmy' ? 'day first' : 'month first'
    return `${field} ${read} (${by}; ${day_first} show day first, ${month_first} month first, ${ambiguous} could be either)`
  })
  const unknown = Object.entries(report.unknown_words ?? {}).map(([column, each]) => `${column}: ${counts(each)}`)
  const renamed = drift?.renamed.map(({ before, after }) => `${before} is now ${after}`)
  return [
    [
      'header',
      header &&
        `${header.generation}; missing: ${words(header.missing)}; extra: ${words(header.extra)}; unknown columns: ${header.unknown}`,
    ],
    [
      'header drift',
      drift
        ? `since run ${drift.since_run}: renamed: ${words(renamed)}; added: ${words(drift.added)}; removed: ${words(drift.removed)}; ` +
          `unknown columns: ${drift.unknown_added} added, ${drift.unknown_removed} removed`
        : undefined,
    ],
    ['rejects', header && counts(report.rejects)],
    ['rejects kept', report.rejects_kept === undefined ? undefined : number(report.rejects_kept)],
    ['repaired', header && counts(report.repaired)],
    ['date orders', orders.length > 0 ? orders.join('; ') : undefined],
    ['unknown words', header && words(unknown)],
    [
      'skipped',
      report.stale_scopes?.length ? `${shorten(report.stale_scopes)} (complete as of a later day)` : undefined,
    ],
    ['steps', seconds && `${words(Object.entries(seconds).map(([step, each]) => `${step} ${each} s`))}`],
    ['speed', report.bytes_per_second === undefined ? undefined : `${megabytes(report.bytes_per_second)}/s`],
  ]
}

const shorten = (list: readonly string[]): string =>
  list.length > 12 ? `${words(list.slice(0, 12))} and ${list.length - 12} more` : words(list)
