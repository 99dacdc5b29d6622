/** Late contacts: items without a contact when the order was paid can be looked up again for thirty days. */
import type { components } from '../../../../client/api-types.ts'
import { counted } from '../../look/numbers.ts'
import { api } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'

type OrderLike = components['schemas']['Order']

const withinMs = 30 * 86_400_000

export function Reclaim({ order: { _id: id, paid_at, items } }: { readonly order: OrderLike }) {
  const missing = items.filter(({ refund_reason }) => refund_reason === 'no_contact').length
  if (missing === 0 || !paid_at || Date.now() - Date.parse(paid_at) > withinMs) return null
  return (
    <AccountAct
      needs="order"
      label="Look for late contacts"
      title={`Look again for ${counted(missing, 'contact')}?`}
      calls={() => api.POST('/api/orders/{id}/reclaim', { params: { path: { id } }, body: {} })}
      shows={({ items: found, credits, still_unreachable: left }) => (
        <div role="status">
          <p>
            {counted(found.length, 'record')} can be reached now, for {counted(credits, 'credit')};{' '}
            {counted(left, 'record')} still cannot.
          </p>
          {found.length > 0 && (
            <ul>
              {found.map(({ number, name }) => (
                <li key={number}>{name}</li>
              ))}
            </ul>
          )}
        </div>
      )}
    >
      <p>
        Their credits were refunded because they had no contact. Those that have one by now are delivered and cost a
        credit each, {counted(missing, 'credit')} at most; the others cost nothing.
      </p>
    </AccountAct>
  )
}
