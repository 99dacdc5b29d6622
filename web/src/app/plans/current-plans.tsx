/** The account's plans and offers with their terms; each can be renewed, or cancelled at its end. */
import { Badge, type Tone } from '../../look/badge.tsx'
import { DataTable } from '../../look/data-table.tsx'
import { Facts } from '../../look/facts.tsx'
import { Instant, Moment } from '../../look/moment.tsx'
import { counted, paise } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { api } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import { usePlans } from '../money/on-sale.ts'
import { BuyTerm } from './buy-term.tsx'
import { isOpen, type Subscription, useSubscriptions } from './subscriptions.ts'

const tones = { active: 'good', cancelled: 'warn', grace: 'warn', ended: 'plain' } as const satisfies Record<
  string,
  Tone
>
const words = { active: 'runs', cancelled: 'ends, cancelled', grace: 'in its days of grace', ended: 'over' } as const

export function CurrentPlans() {
  const subscriptions = useSubscriptions()
  return (
    <section>
      <h2>What you have</h2>
      <Reading of={subscriptions} what="what you have">
        {(held) =>
          held.length === 0 ? (
            <div className="empty">
              <p>You have not bought a plan. Below are the feeds your account can read, then what is on sale.</p>
            </div>
          ) : (
            held.map((each) => <One key={each.subscription_id} of={each} />)
          )
        }
      </Reading>
    </section>
  )
}

function One({ of: held }: { readonly of: Subscription }) {
  const { name, status, auto_renew, paid_with, price, started_at, ends_at, open_until, terms } = held
  return (
    // The product on sale below has the plain name.
    <section className="card" aria-label={`${name}, which you have`}>
      <div className="page-head">
        <h3>
          {name} <Badge tone={tones[status]}>{words[status]}</Badge>
        </h3>
        <div className="acts">
          {isOpen(held) && <Renew of={held} />}
          {(status === 'active' || status === 'grace') && <Cancel of={held} />}
        </div>
      </div>
      <Facts
        of={[
          ['Price', priceOf({ paid_with, price })],
          ['Since', <Moment key="since" at={started_at} />],
          ['Paid until', <Moment key="until" at={ends_at} />],
          ['Open until', <Moment key="open" at={open_until} />],
          ['Renews itself', auto_renew ? 'with credits, a day before its end' : 'no'],
        ]}
      />
      <DataTable
        caption={`Terms of ${name}`}
        rows={terms}
        keyOf={({ number }) => number}
        empty={<p>It has no term.</p>}
        columns={[
          { head: 'Term', by: ({ number }) => number },
          { head: 'Sold as', by: (term) => term.name },
          { head: 'From', by: (term) => term.starts_at, cell: (term) => <Moment at={term.starts_at} /> },
          { head: 'Until', by: (term) => term.ends_at, cell: (term) => <Moment at={term.ends_at} /> },
          {
            head: 'Paid',
            cell: priceOf,
          },
          {
            head: 'Included',
            by: ({ credits }) => credits,
            cell: ({ credits }) => (credits === 0 ? '–' : counted(credits, 'credit')),
          },
          { head: 'Refunded', at: ({ taken_back_at }) => taken_back_at },
        ]}
      />
    </section>
  )
}

const priceOf = ({ paid_with, price }: Pick<Subscription, 'paid_with' | 'price'>): string =>
  paid_with === 'operator' ? 'given' : paid_with === 'online' ? paise(price) : counted(price, 'credit')

/** A product that is no longer sold cannot be renewed. */
function Renew({ of: held }: { readonly of: Subscription }) {
  const plans = usePlans()
  const sold = (held.kind === 'plan' ? plans.data?.data : plans.data?.offers)?.find(({ id }) => id === held.product)
  return sold ? <BuyTerm product={{ ...sold, kind: held.kind }} held={held} /> : null
}

function Cancel({ of: { subscription_id: id, name, ends_at } }: { readonly of: Subscription }) {
  return (
    <AccountAct
      needs="order"
      asAdmin
      label="Cancel at its end"
      title={`Cancel ${name} at its end?`}
      says={() => `${name} ends with its term.`}
      tone="danger"
      calls={() => api.POST('/api/subscriptions/{id}/cancel', { params: { path: { id } }, body: {} })}
    >
      <p>
        It stays open until <Instant at={ends_at} />, to the end of what was paid, without days of grace. It no longer
        renews itself. Nothing is refunded; renewing it before that end undoes the cancellation.
      </p>
    </AccountAct>
  )
}
