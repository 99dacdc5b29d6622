/** The runs of a standing order; one that needs approval is approved or skipped here. */
import { Link } from 'wouter'
import { usePage, useSort } from '../../look/address-state.ts'
import { Badge, type Tone } from '../../look/badge.tsx'
import { ListTable } from '../../look/list-table.tsx'
import { count, counted } from '../../look/numbers.ts'
import { api, type SortOf } from '../../wire/api.ts'
import { useReadPage } from '../../wire/use-read.ts'
import { AccountAct } from '../account-act.tsx'

const limit = 20
const tones = {
  needs_approval: 'warn',
  open: 'warn',
  finished: 'good',
  skipped: 'plain',
  undone: 'plain',
} as const satisfies Record<string, Tone>
const words = {
  needs_approval: 'needs approval',
  open: 'buying',
  finished: 'finished',
  skipped: 'skipped',
  undone: 'undone',
}

/** Matches that were not bought, by reason. */
function notBought(run: {
  readonly owned: number
  readonly no_contact: number
  readonly over_budget: number
  readonly no_longer_matches: number
}): string {
  const reasons = [
    [run.owned, 'owned already'],
    [run.no_contact, 'without contact'],
    [run.over_budget, 'over the budget'],
    [run.no_longer_matches, 'changed before'],
  ] as const
  return reasons.flatMap(([many, why]) => (many === 0 ? [] : [`${count(many)} ${why}`])).join(', ')
}

export function StandingRuns({ id }: { readonly id: string }) {
  const [page] = usePage()
  const sort = useSort<SortOf<'listStandingRuns'>>()
  const runs = useReadPage(
    ['standing-runs', id, page, sort],
    () => api.GET('/api/standing-orders/{id}/runs', { params: { path: { id }, query: { page, limit, ...sort } } }),
    { refetchInterval: ({ state }) => (state.data?.data.some((run) => run.state === 'open') ? 3_000 : 15_000) },
  )
  const decide = (run_id: number) => ({ params: { path: { id } }, body: { run_id } })
  return (
    <section>
      <h2>Runs</h2>
      <ListTable
        of={runs}
        what="its runs"
        pages={{ limit, one: 'run' }}
        caption="Runs"
        keyOf={({ run_id }) => String(run_id)}
        empty={<p>No import has brought a match yet.</p>}
        columns={[
          { head: 'At', sortedAs: 'created_at', at: ({ created_at }) => created_at },
          {
            head: 'State',
            sortedAs: 'state',
            cell: ({ state }) => <Badge tone={tones[state]}>{words[state]}</Badge>,
          },
          { head: 'Matches', sortedAs: 'matches', cell: ({ matches }) => count(matches), number: true },
          { head: 'Bought', cell: ({ bought }) => count(bought), number: true },
          { head: 'Not bought', cell: notBought },
          { head: 'Credits', cell: ({ credits }) => count(credits), number: true },
          {
            head: 'Orders',
            cell: ({ orders }) =>
              orders.map((order) => (
                <Link key={order} href={`/orders/${order}`}>
                  See the leads
                </Link>
              )),
          },
          {
            head: 'Decide',
            cell: ({ run_id, state, matches, usual, sample }) =>
              state === 'needs_approval' && (
                <div className="acts">
                  <AccountAct
                    needs="order"
                    label="Approve"
                    title={`Buy from ${counted(matches, 'match', 'matches')}?`}
                    says={() => 'The run is approved.'}
                    tone="main"
                    calls={() => api.POST('/api/standing-orders/{id}/approve', decide(run_id))}
                  >
                    <p>
                      {usual === null ? 'This is its first run.' : `A usual day brings ${count(usual)}.`} It buys no
                      more than its budget.
                    </p>
                    <ul>
                      {sample.map(({ number, name }) => (
                        <li key={number}>{name}</li>
                      ))}
                    </ul>
                  </AccountAct>
                  <AccountAct
                    needs="order"
                    label="Skip"
                    title="Skip this run?"
                    says={() => 'The run is skipped.'}
                    calls={() => api.POST('/api/standing-orders/{id}/skip', decide(run_id))}
                  >
                    <p>None of its matches is bought, now or later.</p>
                  </AccountAct>
                </div>
              ),
          },
        ]}
      />
    </section>
  )
}
