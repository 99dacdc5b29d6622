/** The account's audit log. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useAddressState, useSort } from '../look/address-state.ts'
import { AuditPages } from '../look/audit-pages.tsx'
import { Choice } from '../look/choice.tsx'
import { Page } from '../look/page.tsx'
import { api, dataOf, type SortOf } from '../wire/api.ts'

const kinds = ['act', 'reading', 'refusal'] as const

export default function Audit() {
  const [kind, setKind] = useAddressState('kind')
  const sort = useSort<SortOf<'listOwnAudit'>>()
  const known = kinds.find((each) => each === kind)
  const log = useInfiniteQuery({
    queryKey: ['audit', kind, sort],
    queryFn: async ({ pageParam }) => {
      const query = { limit: 50, ...sort, ...(known && { kind: known }), ...(pageParam && { cursor: pageParam }) }
      return dataOf(await api.GET('/api/audit', { params: { query } }))
    },
    initialPageParam: '',
    placeholderData: keepPreviousData,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
  return (
    <Page title="Audit log" lead="What was done with your account, and by whom.">
      <div className="filters">
        <Choice label="Kind" value={kind} options={['', ...kinds]} set={setKind} />
      </div>
      <AuditPages of={log} />
    </Page>
  )
}
