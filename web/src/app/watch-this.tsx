/** Adds a record to one of the account's watchlists. */
import { api, dataOf } from '../wire/api.ts'
import { useRead } from '../wire/use-read.ts'
import { AccountAct } from './account-act.tsx'
import type { RecordType } from './listed/record-table.tsx'

export function WatchThis(props: { readonly type: RecordType; readonly id: string; readonly name: string }) {
  const { type, id, name } = props
  const lists = useRead(['watchlists', 'of', type], () =>
    api.GET('/api/watchlist', { params: { query: { type, limit: 100 } } }),
  )
  const names = lists.data?.data.map((list) => list.name) ?? []
  if (!lists.data) return null
  return (
    <AccountAct
      needs="write"
      label="Watch"
      title={`Add ${name} to a watchlist`}
      says={() => `${name} is on the watchlist.`}
      fields={
        names.length === 0
          ? [{ name: 'made', label: 'Name of a new watchlist' }]
          : [
              { name: 'list', label: 'Watchlist', options: names },
              { name: 'made', label: 'Or the name of a new one', optional: true },
            ]
      }
      run={async ({ list, made }) => {
        const chosen = lists.data.data.find((each) => each.name === list)
        const watchlist_id = made === undefined ? (chosen?.id ?? '') : await makeList(made, type)
        const params = { path: { watchlist_id } }
        return dataOf(
          await api.POST('/api/watchlist/{watchlist_id}/entities', {
            params,
            body: { entities: [{ identifier: id, name }] },
          }),
        )
      }}
    />
  )
}

async function makeList(name: string, type: RecordType): Promise<string> {
  const { data } = dataOf(await api.POST('/api/watchlist', { body: { name, watchlist_type: type } }))
  return data.id
}
