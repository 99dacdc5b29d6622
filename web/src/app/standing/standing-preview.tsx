/** What a standing order would have found in the last days; asked for by a press, since it costs a search. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DataTable } from '../../look/data-table.tsx'
import { count } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'

/** @param shown at once: who makes one looks at it before it is switched on. */
export function StandingPreview({ id, shown }: { readonly id: string; readonly shown: boolean }) {
  const [isAsked, setAsked] = useState(shown)
  return (
    <section>
      <h2>Preview</h2>
      {isAsked ? (
        <Days id={id} />
      ) : (
        <p>
          <button type="button" onClick={() => setAsked(true)}>
            Show the last 30 days
          </button>
        </p>
      )}
    </section>
  )
}

function Days({ id }: { readonly id: string }) {
  const preview = useQuery({
    queryKey: ['standing-preview', id],
    queryFn: async () =>
      dataOf(await api.GET('/api/standing-orders/{id}/preview', { params: { path: { id }, query: {} } })),
  })
  return (
    <Reading of={preview} what="the preview">
      {({ days }) => (
        <DataTable
          caption="By the day of registration"
          rows={days.filter(({ matches }) => matches > 0).toReversed()}
          keyOf={({ day }) => day}
          empty={<p>Nothing of the last 30 days matches.</p>}
          columns={[
            { head: 'Day', by: ({ day }) => day, cell: ({ day }) => day },
            { head: 'Matches', by: ({ matches }) => matches, cell: ({ matches }) => count(matches), number: true },
            {
              head: 'With mobile',
              by: ({ with_mobile }) => with_mobile,
              cell: ({ with_mobile }) => count(with_mobile),
              number: true,
            },
            {
              head: 'With e-mail',
              by: ({ with_email }) => with_email,
              cell: ({ with_email }) => count(with_email),
              number: true,
            },
            { head: 'Price', by: ({ price }) => price, cell: ({ price }) => count(price), number: true },
            {
              head: 'Over the budget',
              by: ({ over_budget }) => over_budget,
              cell: ({ over_budget }) => count(over_budget),
              number: true,
            },
          ]}
        />
      )}
    </Reading>
  )
}
