import { z } from 'zod'
import type { OperatorDispute } from '../../../orders/disputes.ts'
import type { FoundOrder } from '../../../orders/find-orders.ts'
import { reporters } from '../../../orders/states.ts'
import { email, uuid } from '../../formats.ts'
import { disputeOf, disputeShape } from './life-schemas.ts'
import { orderSummary } from './order-schemas.ts'

export const text = z.string().nullable()

export const found = { user_id: uuid('ID of the buyer'), email: email('E-mail address of the buyer') }

export const AnyDispute = z
  .object({
    ...disputeShape,
    user_id: found.user_id,
    reported_by: z.enum(reporters).describe("system: the buyer's CRM rejected more rows than the threshold"),
    decided_by: text,
  })
  .meta({ id: 'OperatorDispute' })

export const foundOrder = (order: FoundOrder) => ({ ...orderSummary(order), user_id: order.userId, email: order.email })

export const operatorDispute = (dispute: OperatorDispute) => ({
  ...disputeOf(dispute),
  user_id: dispute.user_id,
  reported_by: dispute.reported_by,
  decided_by: dispute.decided_by,
})
