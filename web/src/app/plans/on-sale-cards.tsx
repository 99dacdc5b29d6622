/** Plans and offers on sale: what each includes, its price, and the button that buys it. */
import { counted } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { AccountAct } from '../account-act.tsx'
import { ForPermitted } from '../for-permitted.tsx'
import { usePlans, withTax } from '../money/on-sale.ts'
import { BuyTerm, type Sold } from './buy-term.tsx'
import { isOpen, useSubscriptions } from './subscriptions.ts'

export function OnSale() {
  const plans = usePlans()
  return (
    <section>
      <h2>On sale</h2>
      <Reading of={plans} what="what is on sale">
        {({ data, offers }) => (
          <>
            <ForPermitted needs="order" asAdmin others={<p className="faint">An admin buys plans and feeds.</p>} />
            <div className="cards">
              {data.map((plan) => (
                <Card
                  key={plan.id}
                  of={{ ...plan, kind: 'plan' }}
                  lines={[
                    plan.description,
                    `${counted(plan.days, 'day')}${plan.limits === 'premium' ? ', premium limits' : ''}${plan.credits > 0 ? `, ${counted(plan.credits, 'credit')}` : ''}`,
                  ]}
                />
              ))}
              {offers.map((offer) => (
                <Card key={offer.id} of={{ ...offer, kind: 'offer' }} lines={[offer.description]} />
              ))}
            </div>
          </>
        )}
      </Reading>
    </section>
  )
}

function Card({ of: sold, lines }: { readonly of: Sold; readonly lines: readonly string[] }) {
  const subscriptions = useSubscriptions()
  const held = subscriptions.data?.find((each) => each.product === sold.id && isOpen(each))
  return (
    <section className="card" aria-label={sold.name}>
      <h3>{sold.name}</h3>
      {lines.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p>
        <strong>{sold.amount === 0 ? 'free' : withTax(sold)}</strong>
        {sold.amount > 0 && sold.price_credits !== null && `, or ${counted(sold.price_credits, 'credit')}`}
      </p>
      {sold.amount === 0 ? <Activate id={sold.id} name={sold.name} /> : <BuyTerm product={sold} held={held} />}
    </section>
  )
}

/** A free offer, once per account; an active one says so. */
function Activate({ id, name }: { readonly id: string; readonly name: string }) {
  const offers = useRead(['offers'], () => api.GET('/api/offers/available'))
  if (!offers.data) return null
  if (offers.data.activated_offers.some((each) => each.id === id)) return <p>Active now.</p>
  if (offers.data.used_offers.includes(id)) return <p className="faint">Already used: once per account.</p>
  return (
    <AccountAct
      needs="order"
      asAdmin
      label="Activate"
      title={`Activate ${name}?`}
      says={() => `${name} is active.`}
      tone="main"
      calls={(_, key) => {
        const params = { path: { id }, header: { 'Idempotency-Key': key } }
        return api.POST('/api/offers/{id}/activate', { params, body: {} })
      }}
    >
      <p>It starts at once, costs nothing and ends automatically. Each account can have it once.</p>
    </AccountAct>
  )
}
