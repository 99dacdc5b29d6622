/** The contacts of a record: what a credit would buy or, once its lead is owned, the contacts themselves. */
import { counted } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { useMay } from '../account.ts'
import type { RecordType } from '../listed/record-table.tsx'
import { OwnedWays } from './owned-ways.tsx'

interface Named {
  readonly type: RecordType
  readonly id: string
  readonly name: string
}

export function Contacts({ type, id, name }: Named) {
  const owned = useRead(['contacts', type, id], () =>
    api.GET('/api/crm/contacts', { params: { query: { type, identifier: id } } }),
  )
  return (
    <section>
      <h2>Contacts</h2>
      <Reading of={owned} what="how it is reached">
        {(lead) => (lead.owned ? <OwnedWays of={lead} /> : <WhatBuyingOpens type={type} id={id} name={name} />)}
      </Reading>
    </section>
  )
}

function WhatBuyingOpens({ type, id, name }: Named) {
  const mayOrder = useMay('order')
  const items = [{ type, name, number: id }]
  const quote = useRead(
    ['quote', items, true],
    () => api.POST('/api/orders/quote', { body: { items, exclude_inactive: true } }),
    { enabled: mayOrder, staleTime: 60_000 },
  )
  if (!mayOrder) return <p>Nobody in your account has bought its lead yet. A buyer can buy it.</p>
  return (
    <Reading of={quote} what="what a lead brings">
      {({ types: [counts], credits_needed }) => {
        if (!counts) return null
        if (counts.inactive > 0) return <p>It is inactive, so its lead is left out unless you ask for it.</p>
        if (counts.reachable === 0) return <p>It has no known contact. Its lead would be refunded.</p>
        const ways = [
          ...(counts.by_mobile > 0 ? ['a mobile number'] : []),
          ...(counts.by_email > 0 ? ['an e-mail address'] : []),
        ]
        const adds = counts.adds.filter((name) => name !== 'Mobile' || counts.by_mobile > 0)
        return (
          <p>
            {ways.length > 0 ? `Known: ${ways.join(' and ')}.` : 'A telephone number is known.'}{' '}
            {`Its lead costs ${counted(credits_needed, 'credit')}`}
            {adds.length > 0 && `, and adds, where they are known: ${adds.join(', ')}`}.
          </p>
        )
      }}
    </Reading>
  )
}
