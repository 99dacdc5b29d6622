/** How a record is reached: what a credit would bring; and once its lead is owned, the contacts themselves. */
import { useQuery } from '@tanstack/react-query'
import { count } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { useMay } from '../account.ts'
import type { RecordType } from '../listed/record-table.tsx'

export function Contacts({
  type,
  id,
  name,
}: {
  readonly type: RecordType
  readonly id: string
  readonly name: string
}) {
  const mayOrder = useMay('order')
  const items = [{ type, name, number: id }]
  const quote = useQuery({
    queryKey: ['quote', items, true],
    queryFn: async () => dataOf(await api.POST('/api/orders/quote', { body: { items, exclude_inactive: true } })),
    enabled: mayOrder,
    staleTime: 60_000,
  })
  if (!mayOrder) return null
  return (
    <section>
      <h2>Contacts</h2>
      <Reading of={quote} what="how it is reached">
        {({ types: [told], credits_needed }) => {
          if (!told) return null
          const ways = [
            ...(told.by_mobile > 0 ? ['a mobile number'] : []),
            ...(told.by_email > 0 ? ['an e-mail address'] : []),
          ]
          if (told.inactive > 0) return <p>It is inactive, so that its lead is left out unless you ask for it.</p>
          if (told.reachable === 0) return <p>No way to reach it is known. Its lead would be refunded.</p>
          return (
            <p>
              {ways.length > 0 ? `Known: ${ways.join(' and ')}.` : 'A telephone number is known.'}{' '}
              {told.already_owned > 0
                ? 'Its lead is yours.'
                : `A lead brings it for ${count(credits_needed)} credit: ${told.adds.join(', ')}.`}
            </p>
          )
        }}
      </Reading>
    </section>
  )
}
