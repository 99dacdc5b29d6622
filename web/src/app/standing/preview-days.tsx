/** The last 30 days of a preview by day of registration, with the records of the selected day. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
import { DataTable } from '../../look/data-table.tsx'
import { Day } from '../../look/moment.tsx'
import { count } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { fixed, metered } from '../../wire/queries.ts'

export interface Asked {
  /** Identifies the preview in the cache, where it stays: another one when something else would be found. */
  readonly of: readonly unknown[]
  readonly type: 'company' | 'gst'
  readonly ask: (day: string | undefined) => Promise<components['schemas']['StandingPreview']>
}

const usePreview = (of: Asked['of'], day: string | undefined, ask: Asked['ask']) =>
  useQuery({ queryKey: ['standing-preview', ...of, day], queryFn: () => ask(day), meta: fixed, ...metered })

export function PreviewDays({ of, type, ask }: Asked) {
  const [shown, setShown] = useState<string>()
  const preview = usePreview(of, undefined, ask)
  return (
    <Reading of={preview} what="the preview">
      {({ days }) => (
        <>
          <DataTable
            caption="By the day of registration"
            rows={days.filter(({ matches }) => matches > 0).toReversed()}
            keyOf={({ day }) => day}
            empty={<p>Nothing of the last 30 days matches.</p>}
            columns={[
              { head: 'Day', by: ({ day }) => day, cell: ({ day }) => <Day on={day} /> },
              { head: 'Matches', by: ({ matches }) => matches, number: count },
              { head: 'With mobile', by: ({ with_mobile }) => with_mobile, number: count },
              { head: 'With e-mail', by: ({ with_email }) => with_email, number: count },
              { head: 'Price', by: ({ price }) => price, number: count },
              { head: 'Over the budget', by: ({ over_budget }) => over_budget, number: count },
              {
                head: 'Records',
                cell: ({ day }) => (
                  <button type="button" onClick={() => setShown(day)}>
                    Show
                  </button>
                ),
              },
            ]}
          />
          {shown !== undefined && <Records key={shown} day={shown} of={of} type={type} ask={ask} />}
        </>
      )}
    </Reading>
  )
}

function Records({ day, of, type, ask }: Asked & { readonly day: string }) {
  const preview = usePreview(of, day, ask)
  return (
    <section aria-label="Records of the day">
      <h3>
        Registered on <Day on={day} />
      </h3>
      <Reading of={preview} what="the records of the day">
        {({ rows }) => (
          <ul>
            {rows.map(({ number, name }) => (
              <li key={number}>
                <Link href={`/record/${type}/${encodeURIComponent(number)}`}>{name}</Link>{' '}
                <span className="faint">{number}</span>
              </li>
            ))}
          </ul>
        )}
      </Reading>
    </section>
  )
}
