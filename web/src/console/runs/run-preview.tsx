/** What a run that needs approval, or a dry run, would write: the reason, the counts by kind, and sample records. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Column } from '../../look/column.ts'
import { DataTable } from '../../look/data-table.tsx'
import { plain } from '../../look/facts.tsx'
import { count } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { type Run, readRuns } from './run-reads.ts'
import { InAll, Reasons, usePreview } from './suspicions.tsx'

export function RunPreview({ run }: { readonly run: Run }) {
  const preview = usePreview(run)
  return (
    <section>
      <h2>What it would write</h2>
      {run.status === 'needs_approval' && <NewerRuns than={run} />}
      <Reading of={preview} what="what it would write">
        {({ reasons, scopes, sample, ...all }) => (
          <>
            {reasons.length > 0 && (
              <Reasons of={reasons} lead={run.status === 'previewed' ? 'It would need approval:' : undefined} />
            )}
            <InAll of={all} />
            <DataTable
              caption="Changes by partition of the register"
              rows={scopes}
              keyOf={({ scope }) => scope}
              empty={<p>It would write nothing.</p>}
              columns={[
                {
                  head: 'Partition',
                  by: ({ scope }) => scope,
                  cell: ({ scope }) => (scope === '*' ? 'the whole register' : scope),
                },
                { head: 'Open now', by: ({ open }) => open, number: count },
                { head: 'New', by: ({ inserted }) => inserted, number: count },
                { head: 'Changed', by: ({ updated }) => updated, number: count },
                { head: 'Closed', by: ({ closed }) => closed, number: count },
              ]}
            />
            <Samples title="Some that would be new" rows={sample.inserted} />
            <Differences of={sample.updated} />
            <Samples title="Some that would be closed" rows={sample.closed} />
          </>
        )}
      </Reading>
    </section>
  )
}

/** A run that found the register unchanged also describes the current register. */
const applied: readonly string[] = ['succeeded', 'no_op']

/** Imports since then: approving this one would replace their values with older ones. */
function NewerRuns({ than }: { readonly than: Run }) {
  const runs = useQuery({
    queryKey: ['runs', 'newer', than.source],
    queryFn: () => readRuns({ source: than.source, limit: 100 }),
  })
  const newer =
    runs.data?.data.filter(
      ({ run_id, status, sha256 }) => run_id > than.run_id && applied.includes(status) && sha256 !== than.sha256,
    ) ?? []
  if (newer.length === 0) return null
  return (
    <div className="notice warn">
      <p>
        Since it waits,{' '}
        {newer.map(({ run_id }, index) => (
          <span key={run_id}>
            {index > 0 && ', '}
            <Link href={`/runs/${run_id}`}>{`import ${run_id}`}</Link>
          </span>
        ))}{' '}
        of {than.source} {newer.length === 1 ? 'was' : 'were'} imported. Approved over{' '}
        {newer.length === 1 ? 'it' : 'them'}, its older values would replace newer ones.
      </p>
    </div>
  )
}

/** A number that is a code is not an amount. */
const shown = (field: string, value: unknown): string =>
  typeof value === 'number' && !field.endsWith('_capital') ? String(value) : plain(value)

interface Sample {
  readonly identifier: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** For any register. */
const nameOf = ({ fields, identifier }: Sample): string => {
  const parts = [fields['first_name'], fields['middle_name'], fields['last_name']].filter(Boolean)
  return String(fields['name'] ?? fields['trade_name'] ?? fields['legal_name'] ?? (parts.join(' ') || identifier))
}

/** The values other than name and identifier, with their column names. */
const fieldsInWords = ({ fields, identifier }: Sample): string =>
  Object.entries(fields)
    .filter(([field, value]) => value !== null && value !== identifier && !field.endsWith('name'))
    .map(([field, value]) => `${field.replaceAll('_', ' ')}: ${shown(field, value)}`)
    .join('; ')

interface Changed {
  readonly identifier: string
  readonly changes: readonly { readonly field: string; readonly before?: unknown; readonly after?: unknown }[]
}

/** One entry per column. */
function Differences({ of: records }: { readonly of: readonly Changed[] }) {
  const rows = records.flatMap(({ identifier, changes }) => changes.map((change) => ({ identifier, ...change })))
  return (
    <Some
      title="Some that would change"
      rows={rows}
      keyOf={({ identifier, field }) => `${identifier} ${field}`}
      columns={[
        {
          head: 'Identifier',
          cell: ({ identifier }, at) => rows[at - 1]?.identifier !== identifier && <code>{identifier}</code>,
        },
        { head: 'Field', cell: ({ field }) => field },
        { head: 'Before', cell: ({ field, before }) => shown(field, before) },
        { head: 'After', cell: ({ field, after }) => shown(field, after) },
      ]}
    />
  )
}

const Samples = (props: { readonly title: string; readonly rows: readonly Sample[] }) => (
  <Some
    {...props}
    keyOf={({ identifier }) => identifier}
    columns={[
      {
        head: 'Record',
        cell: (row) => (
          <div className="found-name">
            {nameOf(row)}
            <code>{row.identifier}</code>
          </div>
        ),
      },
      { head: 'Fields', cell: fieldsInWords },
    ]}
  />
)

/** Nothing where there are none. */
function Some<Row>(props: {
  readonly title: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly columns: readonly Column<Row>[]
}) {
  const { title, ...table } = props
  if (table.rows.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <DataTable caption={title} empty={null} {...table} />
    </>
  )
}
