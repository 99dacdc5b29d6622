/** Runs as rows, each with the way to its own page. */
import { Link } from 'wouter'
import { Badge } from '../../look/badge.tsx'
import { DataTable } from '../../look/data-table.tsx'
import { Moment } from '../../look/moment.tsx'
import { count } from '../../look/numbers.ts'
import { type Run, toneOfRun } from './run-reads.ts'

export function RunTable({ runs, empty }: { readonly runs: readonly Run[]; readonly empty: string }) {
  return (
    <DataTable
      caption="Imports"
      rows={runs}
      keyOf={({ run_id }) => run_id}
      empty={<p>{empty}</p>}
      columns={[
        { head: 'Import', cell: ({ run_id }) => <Link href={`/runs/${run_id}`}>{`Import ${run_id}`}</Link> },
        { head: 'Source', cell: ({ source }) => source },
        { head: 'State', cell: (run) => <Badge tone={toneOfRun(run)}>{inWords(run.status)}</Badge> },
        { head: 'Began', cell: ({ created_at }) => <Moment at={created_at} /> },
        { head: 'Read', cell: ({ rows_read }) => count(rows_read), number: true },
        { head: 'New', cell: ({ inserted }) => count(inserted), number: true },
        { head: 'Changed', cell: ({ updated }) => count(updated), number: true },
        { head: 'Closed', cell: ({ closed }) => count(closed), number: true },
        { head: 'Refused', cell: ({ rejected }) => count(rejected), number: true },
      ]}
    />
  )
}

export const inWords = (status: string): string => (status === 'no_op' ? 'nothing new' : status.replaceAll('_', ' '))
