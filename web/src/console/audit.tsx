/** The audit log of the installation. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useAddressState, useSort } from '../look/address-state.ts'
import { AuditPages } from '../look/audit-pages.tsx'
import { Choice } from '../look/choice.tsx'
import { Page } from '../look/page.tsx'
import { SearchBox } from '../look/search-box.tsx'
import { api, dataOf, type SortOf } from '../wire/api.ts'

const kinds = ['act', 'reading', 'refusal'] as const

export default function Audit() {
  const [kind, setKind] = useAddressState('kind')
  const [actor, setActor] = useAddressState('actor')
  const sort = useSort<SortOf<'listAuditLog'>>()
  const known = kinds.find((each) => each === kind)
  const log = useInfiniteQuery({
    queryKey: ['audit', kind, actor, sort],
    queryFn: async ({ pageParam }) => {
      const query = {
        limit: 50,
        ...sort,
        ...(known && { kind: known }),
        ...(actor && { actor }),
        ...(pageParam && { cursor: pageParam }),
      }
      return dataOf(await api.GET('/admin/audit', { params: { query } }))
    },
    initialPageParam: '',
    placeholderData: keepPreviousData,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
  return (
    <Page title="Audit log" lead="Every action, every read of contacts and every refusal, with the name of who did it.">
      <div className="filters">
        <Choice label="Kind" value={kind} options={['', ...kinds]} set={setKind} />
      </div>
      <SearchBox label="Who" value={actor} set={setActor} />
      <AuditPages of={log} />
    </Page>
  )
}
