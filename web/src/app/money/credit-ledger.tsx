/** The credit history, also as a file. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useAddressState, useGrowing, usePage } from '../../look/address-state.ts'
import { Choice } from '../../look/choice.tsx'
import { DayChoice } from '../../look/day-choice.tsx'
import { Download } from '../../look/download.tsx'
import { ListTable } from '../../look/list-table.tsx'
import { count } from '../../look/numbers.ts'
import type { SortOf } from '../../wire/api.ts'
import { type CreditFilter, creditKinds, creditsCsv, readCredits } from './read-credits.ts'

const limit = 25

export function CreditLedger() {
  const [kind, setKind] = useAddressState('kind')
  const [from, setFrom] = useAddressState('from')
  const [to, setTo] = useAddressState('to')
  const [page] = usePage()
  const sort = useGrowing<SortOf<'listCreditEntries'>>()
  const known = creditKinds.find((each) => each === kind)
  const filter: CreditFilter = { ...(known && { kind: known }), ...(from && { from }), ...(to && { to }) }
  const entries = useQuery({
    queryKey: ['credits', filter, page, sort],
    queryFn: () => readCredits({ ...filter, ...sort, page, limit }),
    placeholderData: keepPreviousData,
  })
  return (
    <section>
      <h2>Credit history</h2>
      <div className="filters">
        <Choice label="Kind" value={kind} options={['', ...creditKinds]} set={setKind} />
        <DayChoice label="From the day" value={from} set={setFrom} />
        <DayChoice label="To the day" value={to} set={setTo} />
        {entries.data && entries.data.total > 0 && (
          <Download label="Download CSV" name="credits.csv" fetch={() => creditsCsv(filter)} />
        )}
      </div>
      <ListTable
        of={entries}
        what="your credits"
        pages={{ limit, one: 'entry', newest: ({ at }) => at }}
        caption="Credits"
        keyOf={({ entry_id }) => entry_id}
        empty={<p>{kind || from || to ? 'No entry matches these filters.' : 'No credits were added or spent yet.'}</p>}
        columns={[
          { head: 'At', sortedAs: 'at', at: ({ at }) => at },
          { head: 'Kind', sortedAs: 'kind', cell: (entry) => `${entry.kind}, ${entry.credit_type}` },
          { head: 'Credits', sortedAs: 'amount', cell: ({ amount }) => count(amount), number: true },
          { head: 'Balance after', cell: ({ balance_after }) => count(balance_after), number: true },
          {
            head: 'Order',
            cell: ({ order_id }) => (order_id ? <Link href={`/orders/${order_id}`}>The order</Link> : '–'),
          },
          { head: 'Why', cell: ({ memo, order_id, reference }) => memo ?? (order_id ? '–' : reference) },
        ]}
      />
    </section>
  )
}
