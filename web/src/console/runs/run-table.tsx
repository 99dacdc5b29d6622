/** A table of runs, each linked to its page. */

import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../look/badge.tsx'
import { DataTable } from '../../look/data-table.tsx'
import { Day } from '../../look/moment.tsx'
import { count, counted } from '../../look/numbers.ts'
import { Tip } from '../../look/tip.tsx'
import { type Run, toneOfRun } from './run-reads.ts'

export function RunTable({ runs, empty }: { readonly runs: readonly Run[]; readonly empty: ReactNode }) {
  return (
    <DataTable
      caption="Imports"
      rows={runs}
      keyOf={({ run_id }) => run_id}
      empty={<p>{empty}</p>}
      columns={[
        { head: 'Import', cell: ({ run_id }) => <Link href={`/runs/${run_id}`}>{`Import ${run_id}`}</Link> },
        { head: 'Source', sortedAs: 'source', cell: ({ source }) => source },
        { head: 'File', cell: ({ input }) => fileName(input) },
        { head: 'As of', sortedAs: 'as_of', cell: ({ as_of }) => <Day on={as_of} /> },
        { head: 'By', cell: (run) => askedBy(run) },
        { head: 'State', sortedAs: 'status', cell: (run) => <State of={run} /> },
        { head: 'Began', sortedAs: 'created_at', at: ({ created_at }) => created_at },
        { head: 'Result', cell: (run) => resultOf(run) },
      ]}
    />
  )
}

/** With the reason where it failed, and the run that undid it. */
function State({ of: run }: { readonly of: Run }) {
  const { error, undone_by } = run
  const reason = error && typeof error === 'object' && 'message' in error ? String(error.message) : undefined
  return (
    <>
      <Badge tone={toneOfRun(run)}>{inWords(run.status)}</Badge>
      {undone_by !== null && (
        <>
          {' '}
          <Link href={`/runs/${undone_by}`}>{`undone by ${undone_by}`}</Link>
        </>
      )}
      {reason !== undefined && (
        <Tip
          of={<span className="cut faint">{reason}</span>}
          name={run.status === 'needs_approval' ? 'Why it needs approval' : 'Why it failed'}
        >
          {reason}
        </Tip>
      )}
    </>
  )
}

/** Only counts above zero. */
function resultOf({ rows_read, inserted, updated, closed, rejected }: Run): string {
  const all = { new: inserted, changed: updated, closed, rejected }
  const parts = Object.entries(all).filter(([, amount]) => amount > 0)
  if (parts.length === 0) return rows_read > 0 ? `nothing new in ${counted(rows_read, 'row')}` : '–'
  return parts.map(([what, amount]) => `${count(amount)} ${what}`).join(', ')
}

export const fileName = (input: string): string => input.slice(input.lastIndexOf('/') + 1) || input

const askedBy = (run: Run): string => String(run['requested_by'] ?? '').replace(/^operator:/, '')

export const inWords = (status: string): string => (status === 'no_op' ? 'nothing new' : status.replaceAll('_', ' '))
