/** Watchlists, newest first. */
import { Link } from 'wouter'
import { usePage, useSort } from '../look/address-state.ts'
import { ListTable } from '../look/list-table.tsx'
import { Tabs } from '../look/navigation.tsx'
import { count } from '../look/numbers.ts'
import { Page } from '../look/page.tsx'
import { registerNames } from '../look/register-names.ts'
import { api, type SortOf } from '../wire/api.ts'
import { useReadPage } from '../wire/use-read.ts'
import { AccountAct } from './account-act.tsx'
import { ForPermitted } from './for-permitted.tsx'
import { lists as listPages } from './tabs.ts'

const limit = 25
const types = ['company', 'director', 'gst'] as const

export default function Watchlists() {
  const [page] = usePage()
  const sort = useSort<SortOf<'listWatchlists'>>()
  const lists = useReadPage(['watchlists', page, sort], () =>
    api.GET('/api/watchlist', { params: { query: { page, limit, ...sort } } }),
  )
  return (
    <Page
      title="Watchlists"
      tabs={<Tabs label="Lists" entries={listPages} />}
      acts={
        <AccountAct
          needs="write"
          label="Make a watchlist"
          title="Make a watchlist"
          says={() => 'The watchlist is made.'}
          tone="main"
          fields={[
            { name: 'name', label: 'Name' },
            { name: 'type', label: 'Of', options: types.map((value) => ({ value, label: registerNames[value] })) },
          ]}
          calls={({ name = '', type }) => {
            const watchlist_type = types.find((each) => each === type) ?? 'company'
            return api.POST('/api/watchlist', { body: { name, watchlist_type } })
          }}
        />
      }
    >
      <ListTable
        of={lists}
        what="your watchlists"
        pages={{ limit, one: 'watchlist' }}
        caption="Watchlists"
        keyOf={({ id }) => id}
        empty={
          <p>
            No watchlists yet.{' '}
            <ForPermitted needs="write">Press “Make a watchlist”, then add records from their pages.</ForPermitted>
          </p>
        }
        columns={[
          {
            head: 'Name',
            sortedAs: 'name',
            cell: ({ id, name }) => <Link href={`/watchlists/${id}`}>{name}</Link>,
          },
          { head: 'Of', sortedAs: 'type', cell: ({ type }) => registerNames[type] },
          { head: 'Records', cell: (list) => count(list.count), number: true },
          { head: 'Made', sortedAs: 'created_at', at: ({ created_at }) => created_at },
        ]}
      />
    </Page>
  )
}
