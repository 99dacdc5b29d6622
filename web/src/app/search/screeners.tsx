/** Saved screeners: run, rename or delete them. */
import { Link } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
import { ListTable } from '../../look/list-table.tsx'
import { Tabs } from '../../look/navigation.tsx'
import { Page } from '../../look/page.tsx'
import { registerNames } from '../../look/register-names.ts'
import { api, dataOf } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { AccountAct } from '../account-act.tsx'
import { ForPermitted } from '../for-permitted.tsx'
import { NotifyMe } from '../standing/notify-me.tsx'
import { lists } from '../tabs.ts'

type Screener = components['schemas']['Screener']

export default function Screeners() {
  const screeners = useRead(['screeners'], () => api.GET('/api/screener/screeners'))
  return (
    <Page title="Saved screeners" tabs={<Tabs label="Lists" entries={lists} />}>
      <ListTable
        of={screeners}
        what="your screeners"
        caption="Saved screeners"
        keyOf={({ id }) => id}
        empty={
          <p>
            No saved screeners yet.{' '}
            <ForPermitted needs="write">
              <Link href="/search">Search</Link>, then press “Save”.
            </ForPermitted>
          </p>
        }
        columns={[
          {
            head: 'Name',
            by: ({ name }) => name,
            cell: ({ name, type, query }) => (
              <Link href={`/search?${new URLSearchParams({ type, query })}`}>{name}</Link>
            ),
          },
          { head: 'Register', by: ({ type }) => registerNames[type] },
          { head: 'Query', by: ({ query }) => query, cell: ({ query }) => <code>{query}</code> },
          { head: 'For', by: ({ description }) => description, cell: ({ description }) => description ?? '–' },
          { head: 'Saved', at: ({ created_at }) => created_at },
          { head: 'Change', cell: (screener) => <ScreenerActs of={screener} /> },
        ]}
      />
    </Page>
  )
}

function ScreenerActs({ of: { id, name, type, query, description } }: { readonly of: Screener }) {
  const params = { path: { screener_id: id } }
  const restore = async () => {
    const body = { name, type, query, ...(description !== null && { description }) }
    return dataOf(await api.POST('/api/screener/screeners', { body }))
  }
  return (
    <div className="acts">
      <NotifyMe name={name} of={{ screener_id: id }} />
      <AccountAct
        needs="write"
        label="Rename"
        title={`Rename ${name}`}
        says={() => 'The search is renamed.'}
        fields={[{ name: 'name', label: 'Name', initial: name }]}
        calls={(typed) =>
          api.PUT('/api/screener/screeners/{screener_id}', { params, body: { name: typed['name'] ?? name } })
        }
      />
      <AccountAct
        needs="write"
        label="Delete"
        title={`Delete ${name}?`}
        tone="danger"
        calls={() => api.DELETE('/api/screener/screeners/{screener_id}', { params })}
        says={() => ({ says: `${name} is deleted.`, restore })}
      />
    </div>
  )
}
