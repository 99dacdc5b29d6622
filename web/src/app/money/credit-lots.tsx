/** The credits left, by expiry; those that expire first are spent first. */
import { Bar } from '../../look/bar.tsx'
import { DataTable } from '../../look/data-table.tsx'
import { LastDay } from '../../look/moment.tsx'
import { count, counted } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { leftOf, useCreditLots } from './credits-left.tsx'

const tones = { purchased: 'main', plan: 'good', granted: 'faint' } as const
const kinds = ['purchased', 'plan', 'granted'] as const

export function CreditLots() {
  const lots = useCreditLots()
  return (
    <section>
      <Reading of={lots} what="what is left">
        {({ data }) => {
          const left = leftOf(data)
          const of = (kind: (typeof kinds)[number]) => leftOf(data.filter(({ credit_type }) => credit_type === kind))
          return (
            <>
              <h2>{counted(left, 'credit')} left</h2>
              {left > 0 && (
                <Bar
                  label="Credits that are left"
                  parts={kinds.map((kind) => ({
                    ...{ name: kind, amount: of(kind), tone: tones[kind], display: count(of(kind)) },
                  }))}
                />
              )}
              <DataTable
                caption="Credits by expiry"
                rows={data.map((lot, index) => ({ ...lot, index }))}
                keyOf={({ index }) => index}
                empty={<p>No credits left. Buy a pack below, or a plan that includes some.</p>}
                columns={[
                  { head: 'Kind', by: ({ credit_type }) => credit_type },
                  { head: 'Left', by: (lot) => lot.left, number: count },
                  { head: 'Of', by: ({ total }) => total, number: count },
                  {
                    head: 'Ends',
                    by: ({ ends_at }) => ends_at,
                    cell: ({ ends_at }) => (ends_at ? <LastDay ends={ends_at} /> : 'never'),
                  },
                ]}
              />
            </>
          )
        }}
      </Reading>
    </section>
  )
}
