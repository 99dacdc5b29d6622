/**
 * The day as of which each partition of a source is complete; a day set too late can be lowered here, with a reason.
 */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { DataTable } from '../../look/data-table.tsx'
import { Day } from '../../look/moment.tsx'
import { counted } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { OperatorAct } from '../operator-act.tsx'

const partOf = (scope: string): string => (scope === '*' ? 'all of it' : scope)

export function Scopes({ source }: { readonly source: string }) {
  const scopes = useQuery({
    queryKey: ['scopes', source],
    queryFn: async () => dataOf(await api.GET('/admin/sources/{source}/scope', { params: { path: { source } } })).data,
  })
  return (
    <section>
      <div className="page-head">
        <h2>Partitions</h2>
        {scopes.data && scopes.data.length > 0 && <Lower source={source} />}
      </div>
      <p className="hint">Rows of an earlier day than that of their partition are skipped.</p>
      <Reading of={scopes} what="the partitions">
        {(data) => (
          <DataTable
            caption="Partitions of the source"
            rows={data}
            keyOf={({ scope }) => scope}
            empty={<p>No partition of it was imported yet.</p>}
            columns={[
              { head: 'Partition', by: ({ scope }) => partOf(scope) },
              { head: 'Complete as of', by: ({ as_of }) => as_of, cell: ({ as_of }) => <Day on={as_of} /> },
              {
                head: 'By',
                by: ({ run_id }) => run_id,
                cell: ({ run_id }) => <Link href={`/runs/${run_id}`}>{`Import ${run_id}`}</Link>,
              },
            ]}
          />
        )}
      </Reading>
    </section>
  )
}

function Lower({ source }: { readonly source: string }) {
  return (
    <OperatorAct
      label="Lower a day"
      title={`Lower the day of ${source}?`}
      tone="danger"
      fields={[
        { name: 'to', label: 'To', kind: 'date', hint: 'The day of the newest file with a correct date.' },
        {
          name: 'scopes',
          label: 'Partitions',
          kind: 'lines',
          optional: true,
          hint: 'One per line; leave empty for all.',
        },
        { name: 'reason', label: 'Reason' },
      ]}
      calls={({ to = '', scopes, reason = '' }) => {
        const parts = scopes?.split(/\s*\n\s*/).filter((part) => part !== '')
        const body = { to, reason, ...(parts && { scopes: parts }) }
        return api.POST('/admin/sources/{source}/scope/lower', { params: { path: { source } }, body })
      }}
      shows={({ scopes }) => (
        <p role="status">
          {counted(scopes.length, 'partition')} will count as seen on that day, once no import of the source is running.
        </p>
      )}
    >
      <p>
        After a file that carried a day of the future, later files are skipped. This lowers the day, so that they are
        imported again.
      </p>
    </OperatorAct>
  )
}
