/** The billing details printed on invoices, and the form that changes them for later ones. */
import { Facts } from '../../look/facts.tsx'
import { Reading } from '../../look/reading.tsx'
import { placeOfSupply } from '../../look/states.ts'
import { api, dataOf } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import { billingFields, billingOf, useBilling, wholeBilling } from '../money/billing-fields.ts'

export function Billing() {
  const kept = useBilling()
  return (
    <section>
      <h2>Billing details</h2>
      <Reading of={kept} what="your billing details">
        {({ billing, revision }) => (
          <>
            {billing === null ? (
              <p>These details appear on your invoices. You are asked for them before your first payment.</p>
            ) : (
              <Facts
                of={[
                  ['Legal name', billing.legal_name],
                  ['Address', billing.address],
                  ['State', placeOfSupply(billing.place_of_supply)],
                  ['GSTIN', billing.gstin ?? 'not registered'],
                ]}
              />
            )}
            <AccountAct
              needs="order"
              asAdmin
              label="Change billing details"
              title="Change billing details"
              says={() => 'Your billing details are changed.'}
              whole={wholeBilling({ billing, revision }, billingFields)}
              run={async (typed, _, read) => {
                const { billing: body } = { billing: undefined, ...billingOf(typed, read) }
                return body && dataOf(await api.PUT('/api/users/me/billing', { body }))
              }}
            >
              <p>They appear on invoices for later payments; issued invoices do not change.</p>
            </AccountAct>
          </>
        )}
      </Reading>
    </section>
  )
}
