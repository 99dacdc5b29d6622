/** What an account used, day by day, beside what its plan lets it use. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { DataTable } from '../../look/data-table.tsx'
import { Day } from '../../look/moment.tsx'
import { count } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'

const LinePlot = lazy(() => import('../../look/line-plot.tsx'))
const days = 30
const worded = (kind: string): string => kind.replaceAll('_', ' ')

export function AccountUsage({ id }: { readonly id: string }) {
  const usage = useQuery({
    queryKey: ['accounts', 'usage', id],
    queryFn: async () =>
      dataOf(await api.GET('/admin/users/{id}/usage', { params: { path: { id }, query: { days } } })),
  })
  return (
    <section>
      <h2>What it used</h2>
      <Reading of={usage} what="what it used">
        {({ limits, days: used }) => <Used limits={limits} newestFirst={used} />}
      </Reading>
    </section>
  )
}

interface UsedOnDay {
  readonly day: string
  readonly used: Readonly<Record<string, number>>
}

function Used(props: {
  readonly limits: Readonly<Record<string, number | null>>
  readonly newestFirst: readonly UsedOnDay[]
}) {
  const { limits, newestFirst } = props
  const today = newestFirst[0]?.used ?? {}
  const seen = newestFirst.flatMap(({ used }) => Object.keys(used))
  const kinds = [...new Set([...Object.keys(limits), ...seen])]
  const drawn = [...new Set(seen)].filter((kind) => kind !== 'bytes')
  const steps = newestFirst.toReversed()
  return (
    <>
      {drawn.length > 0 && newestFirst.length > 1 && (
        <Suspense fallback={<p role="status">Drawing what it used …</p>}>
          <LinePlot
            summary={`Use by day, over ${newestFirst.length} days`}
            steps={steps.map(({ day }) => day)}
            lines={drawn.map((kind) => ({ label: worded(kind), values: steps.map(({ used }) => used[kind] ?? 0) }))}
          />
        </Suspense>
      )}
      <DataTable
        caption="Use and limits"
        rows={kinds}
        keyOf={(kind) => kind}
        empty={<p>It used nothing in the last {days} days.</p>}
        columns={[
          { head: 'What', cell: worded },
          { head: 'Today', cell: (kind) => count(today[kind] ?? 0), number: true },
          {
            head: 'A day at most',
            cell: (kind) => {
              const limit = limits[kind]
              return limit === undefined ? '–' : limit === null ? 'no limit' : count(limit)
            },
            number: true,
          },
          {
            head: `In ${days} days`,
            cell: (kind) => count(newestFirst.reduce((sum, { used }) => sum + (used[kind] ?? 0), 0)),
            number: true,
          },
          {
            head: 'Most on one day',
            cell: (kind) => {
              const most = newestFirst.toSorted((a, b) => (b.used[kind] ?? 0) - (a.used[kind] ?? 0))[0]
              return most?.used[kind] ? (
                <>
                  {count(most.used[kind])}, <Day on={most.day} />
                </>
              ) : (
                '–'
              )
            },
          },
        ]}
      />
    </>
  )
}
