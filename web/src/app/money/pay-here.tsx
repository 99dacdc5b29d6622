/** The link to the processor's page, which opens in a new tab while this page keeps polling for the payment. */
import type { components } from '../../../../client/api-types.ts'
import { paise } from '../../look/numbers.ts'

type Payment = Pick<components['schemas']['OrderPayment'], 'provider' | 'id' | 'page_url'>

/** @param props.amount in paise. */
export function PayHere({
  amount,
  payment,
}: {
  readonly amount: number
  readonly payment: Payment | null | undefined
}) {
  if (!payment) return null
  if (payment.page_url === null) {
    return (
      <p>
        Pay {paise(amount)} at the seller’s checkout of {payment.provider}, for its order <code>{payment.id}</code>.
        This page updates automatically.
      </p>
    )
  }
  return (
    <p>
      <a className="button main" href={payment.page_url} target="_blank" rel="noreferrer">
        Pay {paise(amount)}
      </a>{' '}
      The payment processor’s page opens in a new tab. Return here when you have paid: this page updates automatically.
      If the payment fails there, nothing is bought and you can try again.
    </p>
  )
}
