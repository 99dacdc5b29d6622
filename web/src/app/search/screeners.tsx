/** Saved screeners: to run again, to change, to drop. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { DataTable } from '../../look/data-table.tsx'
import { Moment } from '../../look/moment.tsx'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'

export default function Screeners() {
  const screeners = useQuery({
    queryKey: ['screeners'],
    queryFn: async () => dataOf(await api.GET('/api/screener/screeners')),
  })
  return (
    <Page title="Saved screeners">
      <Reading of={screeners} what="your screeners">
        {({ data }) => (
          <DataTable
            caption="Saved screeners"
            rows={data}
            keyOf={({ id }) => id}
            empty={
              <p>
                None is saved. <Link href="/search">Search</Link>, then press “Save”.
              </p>
            }
            columns={[
              {
                head: 'Name',
                cell: ({ name, type, query }) => (
                  <Link href={`/search?${new URLSearchParams({ type, query })}`}>{name}</Link>
                ),
              },
              { head: 'Register', cell: ({ type }) => type },
              { head: 'Query', cell: ({ query }) => <code>{query}</code> },
              { head: 'For', cell: ({ description }) => description ?? '–' },
              { head: 'Saved', cell: ({ created_at }) => <Moment at={created_at} /> },
              { head: 'Change', cell: (screener) => <ScreenerActs {...screener} /> },
            ]}
          />
        )}
      </Reading>
    </Page>
  )
}

function ScreenerActs({ id, name }: { readonly id: string; readonly name: string }) {
  const params = { path: { screener_id: id } }
  return (
    <div className="acts">
      <AccountAct
        needs="read"
        label="Rename"
        title={`Rename ${name}`}
        fields={[{ name: 'name', label: 'Name', initial: name }]}
        run={async (typed) =>
          dataOf(
            await api.PUT('/api/screener/screeners/{screener_id}', { params, body: { name: typed['name'] ?? name } }),
          )
        }
      />
      <AccountAct
        needs="read"
        label="Delete"
        title={`Delete ${name}?`}
        tone="danger"
        run={async () => dataOf(await api.DELETE('/api/screener/screeners/{screener_id}', { params }))}
      />
    </div>
  )
}
