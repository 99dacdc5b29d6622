import { audit } from '../../../audit/audit.ts'
import { placeOrderAnd } from '../../../orders/place-order.ts'
import { billingToKeep } from '../../billing-schema.ts'
import { keepAnswerOf } from '../../hooks/idempotency.ts'
import { operation } from '../../operation.ts'
import { placed } from '../../order-audit-log.ts'
import { createdOrder, OrderBody, PlacedOrder } from './order-schemas.ts'

export default operation({
  id: 'createOrder',
  method: 'POST',
  path: '/api/orders/normal',
  summary: 'Order records as leads',
  description:
    'Each item costs one credit, refunded where there is no contact. Items that are malformed or in no register ' +
    'fail the whole order, which names their index. `exclude_inactive` leaves out records that are struck off, cancelled, deactivated or ' +
    "disqualified. An online payment is invoiced to `billing`, which is stored with the account and which only an admin changes, or to the account's billing details. Send an Idempotency-Key, so that a repeat orders nothing twice.",
  caller: { scopes: ['order'] },
  audit: 'act',
  errors: ['CONFLICT', 'INSUFFICIENT_CREDITS', 'NOT_FOUND', 'UNPROCESSABLE', 'QUOTA_EXCEEDED', 'SELLER_MISSING'],
  idempotent: 'with-effect',
  body: OrderBody,
  reply: { 201: PlacedOrder },
  example: {
    _id: '43e9df79-0afb-4a07-9a93-f645a79cfda4',
    orderName: 'Pilot',
    paymentOption: 'credits',
    total_amount: 1,
    status: 'completed',
    payment_status: 'paid',
    items_count: 1,
    created_at: '2026-11-21T04:40:50.921Z',
  },
  handle: async ({ db, queue, settings }, request, principal) => {
    const { accountId } = principal
    const { exclude_inactive: excludesInactive, billing, ...ordered } = request.body
    const wanted = { accountId, ...ordered, excludesInactive, begin: billingToKeep(billing, principal) }
    const created = await placeOrderAnd(db, queue, settings, wanted, async (tx, order, excluded) => {
      await audit(tx, placed(accountId, order))
      const body = { ...createdOrder(order), ...(excludesInactive && { excluded }) }
      await keepAnswerOf(tx, request, 201, body)
      return body
    })
    return created
  },
})
