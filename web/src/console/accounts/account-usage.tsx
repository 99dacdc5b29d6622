/** An account's usage by day, next to its plan's limits. */
import { Reading } from '../../look/reading.tsx'
import { UsageTable, usageDays } from '../../look/usage-table.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'

export function AccountUsage({ id }: { readonly id: string }) {
  const usage = useRead(['accounts', 'usage', id], () =>
    api.GET('/admin/users/{id}/usage', { params: { path: { id }, query: { days: usageDays } } }),
  )
  return (
    <section>
      <h2>What it used</h2>
      <p className="faint">Days are UTC days: limits reset at 5:30 a.m. Indian time.</p>
      <Reading of={usage} what="what it used">
        {({ limits, days: used }) => <UsageTable limits={limits} newestFirst={used} />}
      </Reading>
    </section>
  )
}
