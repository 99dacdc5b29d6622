/** How the credits came and went, the newest first, and the offers that are on sale. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useAddressState, usePage } from '../look/address-state.ts'
import { Choice } from '../look/choice.tsx'
import { DataTable } from '../look/data-table.tsx'
import { Moment } from '../look/moment.tsx'
import { count, money } from '../look/numbers.ts'
import { Page } from '../look/page.tsx'
import { Pager } from '../look/pager.tsx'
import { Reading } from '../look/reading.tsx'
import { api, dataOf } from '../wire/api.ts'
import { AccountAct } from './account-act.tsx'

const limit = 25
const kinds = ['grant', 'revoke', 'spend', 'hold', 'refund', 'release', 'expire', 'reversal'] as const

export default function Credits() {
  const [kind, setKind] = useAddressState('kind')
  const [page] = usePage()
  const known = kinds.find((each) => each === kind)
  const entries = useQuery({
    queryKey: ['credits', kind, page],
    queryFn: async () => {
      const query = { page, limit, ...(known && { kind: known }) }
      const read = dataOf(await api.GET('/api/credits/ledger', { params: { query } }))
      // The document tells of the CSV too, which is not asked for here.
      if (typeof read === 'string') throw new TypeError('the credits came as CSV')
      return read
    },
    placeholderData: keepPreviousData,
  })
  return (
    <Page title="Credits">
      <Offers />
      <h2>How they came and went</h2>
      <div className="filters">
        <Choice label="Kind" value={kind} options={['', ...kinds]} set={setKind} />
      </div>
      <Reading of={entries} what="your credits">
        {({ data, total }) => (
          <>
            <DataTable
              caption="Credits"
              rows={data}
              keyOf={({ entry_id }) => entry_id}
              empty={<p>Nothing moved yet. Whoever runs this Panji adds credits to your account.</p>}
              columns={[
                { head: 'At', cell: ({ at }) => <Moment at={at} /> },
                { head: 'Kind', cell: (entry) => `${entry.kind}, ${entry.credit_type}` },
                { head: 'Credits', cell: ({ amount }) => count(amount), number: true },
                { head: 'Balance after', cell: ({ balance_after }) => count(balance_after), number: true },
                {
                  head: 'Order',
                  cell: ({ order_id }) => (order_id ? <Link href={`/orders/${order_id}`}>Its page</Link> : '–'),
                },
                { head: 'Why', cell: ({ memo, reference }) => memo ?? reference },
              ]}
            />
            <Pager total={total} limit={limit} one="entry" />
          </>
        )}
      </Reading>
    </Page>
  )
}

function Offers() {
  const offers = useQuery({ queryKey: ['offers'], queryFn: async () => dataOf(await api.GET('/api/offers/available')) })
  return (
    <Reading of={offers} what="the offers">
      {({ available_offers }) => (
        <div className="cards">
          {available_offers.map(({ id, name, description, price, features }) => (
            <section key={id} className="card" aria-label={name}>
              <h2>{name}</h2>
              <p>{description}</p>
              <p>{[price === 0 ? 'free' : money(price), ...features].join(' · ')}</p>
              {price === 0 && (
                <AccountAct
                  needs="order"
                  label="Activate"
                  title={`Activate ${name}?`}
                  tone="main"
                  run={async (_, key) => {
                    const params = { path: { id }, header: { 'Idempotency-Key': key } }
                    return dataOf(await api.POST('/api/offers/{id}/activate', { params, body: {} }))
                  }}
                />
              )}
            </section>
          ))}
        </div>
      )}
    </Reading>
  )
}
