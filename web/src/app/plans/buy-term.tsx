/**
 * The button that buys a plan or offer, or another term of it. The dialog shows the price, the dates and what happens
 * at the end; an online payment continues on the page of its purchase.
 */
import { useLocation } from 'wouter'
import type { FieldShape, Typed } from '../../look/field-shape.ts'
import { Instant } from '../../look/moment.tsx'
import { counted, paise } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import { billingFields, billingOf, useBilling, wholeBilling } from '../money/billing-fields.ts'
import { leftOf, useCreditLots } from '../money/credits-left.tsx'
import { usePacks, withTax } from '../money/on-sale.ts'
import { OtherSubscriptions } from './other-subscriptions.tsx'
import { isOpen, type Subscription, useSubscriptions } from './subscriptions.ts'

export interface Sold {
  readonly kind: 'plan' | 'offer'
  readonly id: string
  readonly name: string
  /** In paise. */
  readonly amount: number
  readonly net: number
  readonly tax: number
  readonly price_credits: number | null
  readonly days: number
  /** For a plan. */
  readonly grace_days?: number
}

export function BuyTerm({ product, held }: { readonly product: Sold; readonly held: Subscription | undefined }) {
  const packs = usePacks()
  const kept = useBilling()
  const all = useSubscriptions()
  const [, go] = useLocation()
  const ways = [
    ...(product.price_credits === null ? [] : ['credits']),
    ...(packs.data?.online_payment ? ['online'] : []),
  ]
  if (!packs.data || !kept.data || !all.data) return null
  if (ways.length === 0)
    return <p className="faint">It is sold for money only, and online payment is not set up here.</p>
  const renews = held !== undefined && isOpen(held)
  const others = all.data.filter((each) => each.product !== product.id && isOpen(each))
  const verb = renews ? 'Renew' : 'Subscribe'
  return (
    <AccountAct
      needs="order"
      asAdmin
      label={verb}
      title={`${verb}: ${product.name}`}
      tone="main"
      whole={wholeBilling(kept.data, (billing) => [
        ...fieldsFor(ways, held),
        ...(ways.includes('online') ? billingFields(billing, ways.length > 1 ? 'payment_option' : undefined) : []),
      ])}
      run={(typed, key, revision) => buy(product, renews ? held : undefined, typed, { key, revision })}
      says={({ purchase }) => (purchase ? 'The purchase has started. Pay for it next.' : `You have ${product.name}.`)}
      done={({ purchase }) => purchase && go(`/purchases/${purchase.purchase_id}`)}
    >
      <Terms product={product} held={renews ? held : undefined} others={others} isOnline={ways.includes('online')} />
    </AccountAct>
  )
}

function fieldsFor(ways: readonly string[], held: Subscription | undefined): readonly FieldShape[] {
  const renewal: FieldShape = {
    ...{ name: 'auto_renew', label: 'Renew it with credits a day before its end', kind: 'check', optional: true },
    hint: 'Until you cancel it, at the price of that day. Paying online leaves this as it is.',
    ...(held?.auto_renew && { initial: 'on' }),
  }
  return [{ name: 'payment_option', label: 'Paid by', options: ways }, ...(ways.includes('credits') ? [renewal] : [])]
}

async function buy(
  { kind, id }: Sold,
  held: Subscription | undefined,
  typed: Typed,
  { key, revision }: { readonly key: string; readonly revision: string },
) {
  const { payment_option = 'credits', auto_renew } = typed
  const isOnline = payment_option === 'online'
  const body = { payment_option, ...(isOnline ? billingOf(typed, revision) : { auto_renew: auto_renew === 'on' }) }
  const header = { 'Idempotency-Key': key }
  if (held) {
    const params = { path: { id: held.subscription_id }, header }
    return dataOf(await api.POST('/api/subscriptions/{id}/renew', { params, body }))
  }
  const params = { path: { id }, header }
  return kind === 'plan'
    ? dataOf(await api.POST('/api/plans/{id}/buy', { params, body }))
    : dataOf(await api.POST('/api/offers/{id}/buy', { params, body }))
}

const dayMs = 86_400_000

function Terms(props: {
  readonly product: Sold
  readonly held: Subscription | undefined
  readonly others: readonly Subscription[]
  /** It can be paid for in money. */
  readonly isOnline: boolean
}) {
  const { product, held, others, isOnline } = props
  const lots = useCreditLots()
  const { days, grace_days: graceDays = 0, price_credits: credits } = product
  const end = new Date((held ? Date.parse(held.ends_at) : Date.now()) + days * dayMs).toISOString()
  return (
    <Reading of={lots} what="your balance">
      {({ data }) => {
        const balance = leftOf(data.filter(({ credit_type }) => credit_type !== 'plan'))
        const includedLeft = leftOf(data) - balance
        return (
          <ul>
            <li>
              It costs{' '}
              {credits !== null && `${counted(credits, 'credit')} of the ${counted(balance, 'credit')} that you have`}
              {credits !== null && isOnline && ', or '}
              {isOnline && <>{withTax(product)} online</>}.
              {credits !== null &&
                includedLeft > 0 &&
                ` The ${counted(includedLeft, 'credit')} that a plan includes pay for records alone.`}
            </li>
            {credits !== null && balance < credits && <li>You are short of {counted(credits - balance, 'credit')}.</li>}
            {held ? (
              <li>
                The new term of {days} days begins where the last one ends, <Instant at={held.ends_at} />, and runs
                until <Instant at={end} />.{held.cancelled_at && ' Your cancellation is undone.'}
              </li>
            ) : (
              <li>
                {credits === null ? (
                  <>It begins with the payment and runs for {days} days.</>
                ) : (
                  <>
                    With credits it begins at once and runs for {days} days, until <Instant at={end} />
                    {isOnline && '; online it begins with the payment'}.
                  </>
                )}
              </li>
            )}
            <li>
              {graceDays > 0
                ? `At its end it continues for ${counted(graceDays, 'day')} of grace unless you cancel it; then it ends.`
                : 'It ends without a grace period.'}{' '}
              {credits === null
                ? `Nothing more than ${paise(product.amount)} is charged.`
                : `Nothing more than ${isOnline ? 'these prices' : 'this price'} is charged unless you let it renew itself.`}
            </li>
            <OtherSubscriptions others={others} />
          </ul>
        )
      }}
    </Reading>
  )
}
