/**
 * Notices from the payment processor. Those that need attention are closed here with a reason, and the processor can be
 * asked for missed payments.
 */

import { Link } from 'wouter'
import type { components } from '../../../client/api-types.ts'
import { useAddressState, useGrowing, usePage } from '../look/address-state.ts'
import { Badge, type Tone } from '../look/badge.tsx'
import { Choice } from '../look/choice.tsx'
import { ListTable } from '../look/list-table.tsx'
import { Moment } from '../look/moment.tsx'
import { money } from '../look/numbers.ts'
import { Page } from '../look/page.tsx'
import { SearchBox } from '../look/search-box.tsx'
import { api, type SortOf } from '../wire/api.ts'
import { useReadPage } from '../wire/use-read.ts'
import { useMay } from './operator.ts'
import { OperatorAct } from './operator-act.tsx'
import { RefundPayment } from './payment-refund.tsx'
import { RefundsInProgress } from './refunds-in-progress.tsx'

const limit = 50
const tones = {
  asked: 'plain',
  paid: 'good',
  known: 'plain',
  credited: 'warn',
  repaid: 'plain',
  charged_back: 'bad',
  disputed: 'warn',
  dispute_ended: 'plain',
  ignored: 'plain',
  mismatch: 'bad',
  parked: 'bad',
  unknown_order: 'bad',
  erased_account: 'warn',
  forged: 'bad',
  expired: 'plain',
} as const satisfies Record<string, Tone>
const outcomes = Object.keys(tones) as (keyof typeof tones)[]
/** Money that is disputed, was withdrawn, or was not simply spent on its order: it needs attention. */
const needingEyes: readonly string[] = [
  ...['charged_back', 'disputed', 'mismatch', 'parked', 'unknown_order', 'erased_account', 'credited'],
]
/** The payment was booked. All other money is refunded in the processor's dashboard. */
const refundable: readonly string[] = ['credited', 'paid']

export default function Payments() {
  const [open, setOpen] = useAddressState('open')
  const [outcome, setOutcome] = useAddressState('outcome')
  const [search, setSearch] = useAddressState('search')
  const [page] = usePage()
  const sort = useGrowing<SortOf<'listPaymentEvents'>>()
  const known = outcomes.find((each) => each === outcome)
  const query = {
    ...{ page, limit, ...sort },
    ...(open && ({ open: 'true' } as const)),
    ...(known && { outcome: known }),
    ...(search && { search }),
  }
  const events = useReadPage(
    ['payments', open, outcome, search, page, sort],
    () => api.GET('/admin/payments', { params: { query } }),
    { refetchInterval: 15_000 },
  )
  return (
    <Page title="Payments" lead="What the payment processor reported, and what needs attention." acts={<Reconcile />}>
      <RefundsInProgress />
      <SearchBox label="Order, or id of the processor" value={search} set={setSearch} />
      <div className="filters">
        <Choice label="What it came to" value={outcome} options={['', ...outcomes]} set={setOutcome} />
        <label className="check">
          <input
            type="checkbox"
            checked={open !== ''}
            onChange={({ target }) => setOpen(target.checked ? 'true' : '')}
          />{' '}
          Only what needs attention
        </label>
      </div>
      <ListTable
        of={events}
        what="the payments"
        pages={{ limit, one: 'notice', newest: ({ received_at }) => received_at }}
        caption="Payments"
        keyOf={({ event_id }) => event_id}
        empty={
          <p>
            {open
              ? 'Nothing needs attention.'
              : 'No payment matches these filters. The first one arrives with the first sale in money.'}
          </p>
        }
        columns={[
          { head: 'At', sortedAs: 'received_at', at: ({ received_at }) => received_at },
          {
            head: 'What it came to',
            sortedAs: 'outcome',
            cell: (row) => <Badge tone={tones[row.outcome]}>{row.outcome.replaceAll('_', ' ')}</Badge>,
          },
          {
            head: 'Sum',
            sortedAs: 'amount',
            cell: ({ amount }) => (amount === null ? '–' : money(amount / 100)),
            number: true,
          },
          {
            head: 'Order or purchase',
            cell: ({ order_id, purchase_id }) =>
              purchase_id === null ? <OrderLink id={order_id} /> : <code>{purchase_id.slice(0, 8)}</code>,
          },
          {
            head: 'With the processor',
            cell: ({ payment_id, payment_order_id }) => <code>{payment_id ?? payment_order_id ?? '–'}</code>,
          },
          { head: 'Reported by', cell: ({ source, name, detail }) => `${source}: ${detail ?? name}` },
          { head: 'Handled', cell: (row) => <SeenTo event={row} /> },
          {
            head: 'Change',
            cell: ({ payment_id, purchase_id, amount, outcome: came }) =>
              payment_id !== null &&
              refundable.includes(came) && (
                <RefundPayment of={payment_id} sum={amount} hasRows={purchase_id === null} />
              ),
          },
        ]}
      />
    </Page>
  )
}

/** A link to its page, if the role may read it. */
function OrderLink({ id }: { readonly id: string | null }) {
  const mayReadOrders = useMay('viewer')
  if (id === null) return <>–</>
  const short = id.slice(0, 8)
  return mayReadOrders ? <Link href={`/orders/${id}`}>{short}</Link> : <code>{short}</code>
}

type EventLike = components['schemas']['PaymentEvent']

function SeenTo({ event: { event_id, outcome, closed_at, closed_by, closed_note } }: { readonly event: EventLike }) {
  if (closed_at)
    return (
      <>
        <Moment at={closed_at} /> {closed_by}: {closed_note}
      </>
    )
  if (!needingEyes.includes(outcome)) return <>–</>
  return (
    <OperatorAct
      label="Close"
      title={`Was notice ${event_id} handled?`}
      says={() => `Notice ${event_id} is closed.`}
      fields={[{ name: 'reason', label: 'What you did', hint: 'For example: given back by bank transfer.' }]}
      calls={({ reason = '' }) => {
        const params = { path: { event_id: String(event_id) } }
        return api.POST('/admin/payments/{event_id}/close', { params, body: { reason } })
      }}
    >
      <p>
        It no longer needs attention. This moves no money: a payment that was not booked is refunded in the processor’s
        dashboard.
      </p>
    </OperatorAct>
  )
}

function Reconcile() {
  return (
    <OperatorAct
      label="Ask the processor"
      title="Ask the processor for payments it has not reported?"
      calls={() => api.POST('/admin/payments/reconcile', { body: {} })}
      shows={() => <p role="status">A worker asks it now. What it finds appears in the list.</p>}
    >
      <p>Orders that were paid are settled; those that nobody paid in time end. This also happens automatically.</p>
    </OperatorAct>
  )
}
