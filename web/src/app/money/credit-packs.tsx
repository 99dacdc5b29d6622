/** Packs of credits on sale. Buying one starts a purchase; money moves only on the processor's page. */
import { useLocation } from 'wouter'
import { counted, paise } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { api } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import { ForPermitted } from '../for-permitted.tsx'
import { billingFields, billingOf, useBilling, wholeBilling } from './billing-fields.ts'
import { usePacks, withTax } from './on-sale.ts'

export function CreditPacks() {
  const packs = usePacks()
  const kept = useBilling()
  const [, go] = useLocation()
  return (
    <section>
      <h2>Packs on sale</h2>
      <Reading of={packs} what="the packs">
        {({ data, online_payment: isOnline }) => (
          <>
            {!isOnline && (
              <p>Online payment is not set up here. The operator of this Panji adds credits to your account.</p>
            )}
            {isOnline && (
              <ForPermitted needs="order" asAdmin others={<p className="faint">An admin buys credits.</p>} />
            )}
            <div className="cards">
              {data.map((pack) => {
                const credits = counted(pack.credits, 'credit')
                return (
                  <section key={pack.id} className="card" aria-label={`Pack of ${credits}`}>
                    <h3>{credits}</h3>
                    <p>{withTax(pack)}</p>
                    <p className="faint">
                      {paise(pack.net / pack.credits)} each without tax, valid for {pack.valid_days} days
                    </p>
                    {isOnline && kept.data && (
                      <AccountAct
                        needs="order"
                        asAdmin
                        label="Buy"
                        title={`Buy ${credits} for ${paise(pack.amount)}?`}
                        tone="main"
                        whole={wholeBilling(kept.data, billingFields)}
                        calls={(typed, key, revision) => {
                          const params = { header: { 'Idempotency-Key': key } }
                          const body = { pack_id: pack.id, ...billingOf(typed, revision) }
                          return api.POST('/api/credits/purchase', { params, body })
                        }}
                        says={() => 'The purchase has started. Pay for it next.'}
                        done={({ purchase_id }) => go(`/purchases/${purchase_id}`)}
                      >
                        <p>
                          {withTax(pack)}. You pay on the payment processor’s page, which the next page opens; nothing
                          is charged before that. The credits arrive with the payment and are valid for{' '}
                          {pack.valid_days} days from then.
                        </p>
                      </AccountAct>
                    )}
                  </section>
                )
              })}
            </div>
          </>
        )}
      </Reading>
    </section>
  )
}
