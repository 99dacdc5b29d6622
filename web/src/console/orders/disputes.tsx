/**
 * Reports of bad contacts by buyers, and leads rejected by CRMs above the limit, oldest first; decided one by one, or
 * all of an account.
 */
import { Link } from 'wouter'
import { useAddressState, usePage, useSort } from '../../look/address-state.ts'
import { Choice } from '../../look/choice.tsx'
import { ListTable } from '../../look/list-table.tsx'
import { counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { api, type SortOf } from '../../wire/api.ts'
import { useRead, useReadPage } from '../../wire/use-read.ts'
import { OperatorAct } from '../operator-act.tsx'

const limit = 25
const states = ['open', 'accepted', 'rejected'] as const
const reporters = ['buyer', 'system'] as const

export default function Disputes() {
  const [status, setStatus] = useAddressState('status', 'open')
  const [by, setBy] = useAddressState('by')
  const [page] = usePage()
  const sort = useSort<SortOf<'listDisputes'>>()
  const known = states.find((each) => each === status)
  const reporter = reporters.find((each) => each === by)
  const disputes = useReadPage(['disputes', status, by, page, sort], () =>
    api.GET('/admin/disputes', {
      params: {
        query: {
          page,
          limit,
          ...sort,
          ...(known && { status: known }),
          ...(reporter && { reported_by: reporter }),
        },
      },
    }),
  )
  return (
    <Page
      title="Reports"
      lead="Contacts that buyers reported as bad, and leads that a CRM rejected in large numbers. Accepting a report refunds the credit."
    >
      <div className="filters">
        <Choice label="State" value={status} options={['', ...states]} set={setStatus} />
        <Choice label="Reported by" value={by} options={['', ...reporters]} set={setBy} />
      </div>
      <ListTable
        of={disputes}
        what="the reports"
        pages={{ limit, one: 'report' }}
        caption="Reports"
        keyOf={({ dispute_id }) => dispute_id}
        empty={<p>No report matches these filters.</p>}
        columns={[
          { head: 'Since', sortedAs: 'opened_at', at: ({ opened_at }) => opened_at },
          { head: 'Record', cell: ({ number }) => <code>{number}</code> },
          { head: 'Why', cell: ({ reason }) => reason },
          {
            head: 'By',
            sortedAs: 'reported_by',
            cell: ({ reported_by }) => (reported_by === 'buyer' ? 'the buyer' : 'rejections'),
          },
          { head: 'Order', cell: ({ order_id }) => <Link href={`/orders/${order_id}`}>Its page</Link> },
          {
            head: 'State',
            sortedAs: 'status',
            cell: (dispute) => `${dispute.status}${dispute.note ? `: ${dispute.note}` : ''}`,
          },
          {
            head: 'Change',
            cell: (dispute) =>
              dispute.status === 'open' && (
                <div className="acts">
                  <Decide id={dispute.dispute_id} number={dispute.number} />
                  <DecideAll userId={dispute.user_id} by={dispute.reported_by} />
                </div>
              ),
          },
        ]}
      />
    </Page>
  )
}

const decisionFields = [
  { name: 'decision', label: 'Decision', options: ['accept', 'reject'] },
  { name: 'reason', label: 'Reason', hint: 'The buyer sees it.' },
]

function Decide({ id, number }: { readonly id: string; readonly number: string }) {
  return (
    <OperatorAct
      label="Decide"
      title={`The report of ${number}`}
      says={() => `The report of ${number} is decided.`}
      tone="main"
      fields={decisionFields}
      calls={({ decision, reason = '' }) => {
        const body = { decision: decision === 'accept' ? 'accept' : 'reject', reason } as const
        return api.POST('/admin/disputes/{id}/decide', { params: { path: { id } }, body })
      }}
    />
  )
}

function DecideAll({ userId, by }: { readonly userId: string; readonly by: (typeof reporters)[number] }) {
  return (
    <OperatorAct
      label="Decide all"
      title={`All open reports of this account, reported by ${by === 'buyer' ? 'the buyer' : 'rejections'}`}
      tone="danger"
      fields={decisionFields}
      calls={({ decision, reason = '' }) => {
        const body = {
          ...{ user_id: userId, reported_by: by, reason },
          decision: decision === 'accept' ? 'accept' : 'reject',
        } as const
        return api.POST('/admin/disputes/decide', { body })
      }}
      shows={({ decided, credits, left }) => (
        <p>
          {decided} decided, {credits} {credits === 1 ? 'credit' : 'credits'} refunded, {left} still open.
        </p>
      )}
    >
      <OpenReports of={{ user_id: userId, reported_by: by }} />
    </OperatorAct>
  )
}

/** How many reports the decision is about; each is of one credit. */
function OpenReports({
  of,
}: {
  readonly of: { readonly user_id: string; readonly reported_by: (typeof reporters)[number] }
}) {
  const open = useRead(['disputes', 'open', of], () =>
    api.GET('/admin/disputes', { params: { query: { ...of, status: 'open', limit: 1 } } }),
  )
  return (
    <Reading of={open} what="how many reports are open">
      {({ total }) => (
        <p>
          {counted(total, 'report is', 'reports are')} open. Accepting {total === 1 ? 'it' : 'them'} refunds up to{' '}
          {counted(total, 'credit')}.
        </p>
      )}
    </Reading>
  )
}
