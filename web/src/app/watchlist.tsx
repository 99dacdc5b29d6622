/** One watchlist and its records. */
import { Link, useLocation, useParams } from 'wouter'
import { useAddressState, usePage, useSort } from '../look/address-state.ts'
import { DataTable } from '../look/data-table.tsx'
import { count } from '../look/numbers.ts'
import { Page } from '../look/page.tsx'
import { Pager } from '../look/pager.tsx'
import { Reading } from '../look/reading.tsx'
import { SearchBox } from '../look/search-box.tsx'
import { api, dataOf, type SortOf } from '../wire/api.ts'
import { queries } from '../wire/queries.ts'
import { useReadPage } from '../wire/use-read.ts'
import { AccountAct } from './account-act.tsx'
import { ForPermitted } from './for-permitted.tsx'
import { NotifyMe } from './standing/notify-me.tsx'
import { copiedMax, copyOf, makeAgain } from './watchlist-copy.ts'

const limit = 25

export default function WatchlistPage() {
  const { id = '' } = useParams()
  const [, go] = useLocation()
  const [page] = usePage()
  const [search, setSearch] = useAddressState('search')
  const sort = useSort<SortOf<'getWatchlist'>>()
  const path = { watchlist_id: id }
  const query = { page, limit, ...sort, ...(search && { search_query: search }) }
  const list = useReadPage(['watchlists', 'one', id, page, search, sort], () =>
    api.GET('/api/watchlist/{watchlist_id}', { params: { path, query } }),
  )
  return (
    <Page
      title={list.data?.data.name ?? 'Watchlist'}
      acts={
        list.data && (
          <>
            {list.data.data.type !== 'director' && (
              <NotifyMe name={list.data.data.name} of={{ source: 'watchlist', watchlist_id: id }} />
            )}
            <AccountAct
              needs="write"
              label="Rename"
              title="Rename this watchlist"
              says={() => 'The watchlist is renamed.'}
              fields={[{ name: 'name', label: 'Name', initial: list.data.data.name }]}
              calls={({ name = '' }) => api.PUT('/api/watchlist/{watchlist_id}', { params: { path }, body: { name } })}
            />
            <AccountAct
              needs="write"
              label="Delete"
              title="Delete this watchlist?"
              tone="danger"
              run={async () => {
                const copy = await copyOf(id)
                dataOf(await api.DELETE('/api/watchlist/{watchlist_id}', { params: { path } }))
                return copy
              }}
              says={(copy) =>
                copy
                  ? { says: `The watchlist ${copy.name} is deleted.`, restore: () => makeAgain(copy) }
                  : 'The watchlist is deleted. It was too long to undo.'
              }
              done={() => {
                // Its page is still rendered for a moment, and would request what no longer exists.
                queries.removeQueries({ queryKey: ['watchlists', 'one', id] })
                go('/watchlists')
              }}
            >
              <p>
                With more than {count(copiedMax)} records this cannot be undone. What you ordered from it stays yours.
              </p>
            </AccountAct>
          </>
        )
      }
    >
      <SearchBox label="Name or identifier" value={search} set={setSearch} />
      <Reading of={list} what="the watchlist">
        {({ data: { type, entities }, total }) => (
          <>
            <DataTable
              caption="Records of the watchlist"
              rows={entities}
              keyOf={({ identifier }) => identifier}
              empty={
                <p>
                  {search ? (
                    'No record on this watchlist matches the search.'
                  ) : (
                    <>
                      This watchlist is empty.{' '}
                      <ForPermitted needs="write">Open a record and press “Watch”.</ForPermitted>
                    </>
                  )}
                </p>
              }
              columns={[
                {
                  head: 'Name',
                  sortedAs: 'name',
                  cell: ({ identifier, name }) => <Link href={`/record/${type}/${identifier}`}>{name}</Link>,
                },
                { head: 'Identifier', sortedAs: 'identifier', cell: ({ identifier }) => <code>{identifier}</code> },
                { head: 'Since', sortedAs: 'added_at', at: ({ added_at }) => added_at },
                {
                  head: 'Change',
                  cell: ({ identifier, name }) => (
                    <AccountAct
                      needs="write"
                      label="Take off"
                      title={`Take ${name} off the list?`}
                      calls={() => {
                        const params = { path, query: { identifiers: identifier } }
                        return api.DELETE('/api/watchlist/{watchlist_id}/entities', { params })
                      }}
                      says={() => ({
                        says: `${name} is off the list.`,
                        restore: async () => {
                          const body = { entities: [{ identifier, name }] }
                          return dataOf(
                            await api.POST('/api/watchlist/{watchlist_id}/entities', { params: { path }, body }),
                          )
                        },
                      })}
                    />
                  ),
                },
              ]}
            />
            <Pager total={total} limit={limit} one="record" />
          </>
        )}
      </Reading>
    </Page>
  )
}
