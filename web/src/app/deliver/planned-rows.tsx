/** The rows of a plan: the action for each lead, and for an update each field before and after. */
import { Link } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
import { usePage } from '../../look/address-state.ts'
import { Badge, type Tone } from '../../look/badge.tsx'
import { Bar, type BarPart } from '../../look/bar.tsx'
import { DataTable } from '../../look/data-table.tsx'
import { plain } from '../../look/facts.tsx'
import { count, counted } from '../../look/numbers.ts'
import { Pager } from '../../look/pager.tsx'

export type Plan = components['schemas']['Plan']
type Row = components['schemas']['PlannedRow']

const limit = 50
const tones: Readonly<Record<Row['action'], Tone>> = {
  ...{ create: 'good', update: 'warn', adopt: 'warn', unchanged: 'plain', conflict: 'bad', reject: 'bad' },
}
/** A colour for each action, since the bar's legend has no other mark. */
const partTones: Readonly<Record<Row['action'], BarPart['tone']>> = {
  ...{ create: 'good', update: 'main', adopt: 'faint', unchanged: 'plain', conflict: 'warn', reject: 'bad' },
}
const words: Readonly<Record<Row['action'], string>> = {
  ...{ create: 'created', update: 'changed', adopt: 'adopted', unchanged: 'unchanged' },
  ...{ conflict: 'conflict', reject: 'rejected' },
}

export function PlannedRows(props: {
  readonly of: Pick<Plan, 'counts' | 'calls' | 'minutes' | 'misfits' | 'joins' | 'rows'>
  readonly empty?: string
}) {
  const { counts, calls, minutes, misfits, joins, rows } = props.of
  const [page] = usePage()
  const shown = rows.slice((page - 1) * limit, page * limit)
  const actions = Object.keys(tones) as Row['action'][]
  return (
    <>
      <Bar
        label="What would happen"
        parts={actions.map((action) => ({
          ...{ name: words[action], amount: counts[action] ?? 0, display: count(counts[action] ?? 0) },
          tone: partTones[action],
        }))}
      />
      <p>
        This takes about {counted(calls, 'call')} to the CRM and{' '}
        {minutes < 1 ? 'less than a minute' : counted(Math.ceil(minutes), 'minute')}. Nothing is written yet.
      </p>
      {misfits.length > 0 && <h2>Values missing from the CRM’s lists</h2>}
      {misfits.length > 0 && (
        <DataTable
          caption="Values missing from the CRM’s lists"
          rows={misfits}
          keyOf={({ field, column, value }) => `${field} ${column} ${value}`}
          empty={null}
          columns={[
            { head: 'Value', by: ({ value }) => value },
            {
              head: 'Column',
              by: ({ column }) => column,
              cell: ({ column }) => (column === null ? 'mapping' : <code>{column}</code>),
            },
            { head: 'Field', by: ({ field }) => field, cell: ({ field }) => <code>{field}</code> },
            { head: 'Leads', by: ({ leads }) => leads, cell: ({ leads }) => count(leads) },
          ]}
        />
      )}
      {joins.length > 0 && <h2>Lists that records would join</h2>}
      {joins.length > 0 && (
        <DataTable
          caption="Lists that records would join"
          rows={joins}
          keyOf={({ field, value }) => `${field} ${value}`}
          empty={null}
          columns={[
            { head: 'List, campaign or tag', by: ({ value }) => value },
            { head: 'Field', by: ({ field }) => field, cell: ({ field }) => <code>{field}</code> },
            { head: 'Leads', by: ({ leads }) => leads, cell: ({ leads }) => count(leads) },
          ]}
        />
      )}
      {misfits.length + joins.length > 0 && <h2>What would happen to each lead</h2>}
      <DataTable
        caption="What would happen to each lead"
        rows={shown}
        keyOf={({ record }) => record}
        empty={<p>{props.empty ?? 'The order has no lead to deliver.'}</p>}
        columns={[
          { head: 'Record', cell: ({ record }) => <RecordLink of={record} /> },
          { head: 'Action', cell: ({ action }) => <Badge tone={tones[action]}>{words[action]}</Badge> },
          { head: 'Reason or changes', cell: (row) => <Changes of={row} /> },
        ]}
      />
      <Pager total={rows.length} limit={limit} one="lead" />
    </>
  )
}

/** @param props.of as the API writes it, `company:U15549GA2012PTC952580`. */
function RecordLink({ of: record }: { readonly of: string }) {
  return (
    <Link href={`/record/${record.replace(':', '/')}`}>
      <code>{record.slice(record.indexOf(':') + 1)}</code>
    </Link>
  )
}

function Changes({ of: { reason, fields = {} } }: { readonly of: Row }) {
  if (reason) return reason
  const changes = Object.entries(fields)
  if (changes.length === 0) return '–'
  return (
    <ul>
      {changes.map(([field, { before, after }]) => (
        <li key={field}>
          {field}: <del>{plain(before)}</del> <ins>{plain(after)}</ins>
        </li>
      ))}
    </ul>
  )
}
