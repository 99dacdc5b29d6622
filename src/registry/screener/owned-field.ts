/**
 * Whether the account owns a record's lead: bought, paid for, and neither refunded nor expired, as in
 * orders.owned_items.
 */
import { orderTerms } from '../../../config/plans.ts'
import { literal, sql } from '../../db/sql.ts'
import { actingAccount } from './acting-account.ts'

const keys = { company: 'cin', gst: 'gstin' } as const

export const ownedField = (register: keyof typeof keys) => ({
  register,
  name: 'owned',
  aliases: [],
  kind: 'flag' as const,
  column: sql`r.${keys[register]} IN (SELECT item.identifier FROM orders.item JOIN orders.purchase USING (order_id)
    WHERE item.type = ${literal(register)} AND item.charge_id IS NOT NULL AND item.refunded_at IS NULL AND item.withdrawn_at IS NULL
      AND purchase.account_id = ${actingAccount} AND purchase.payment_status = 'paid'
      AND coalesce(item.reclaimed_at, purchase.paid_at) > now() - make_interval(days => ${orderTerms.ownedDays}))`,
  description: 'Whether its lead is yours already',
  values: ['true', 'false'],
  example: 'owned == false',
  fold: 'lower' as const,
  isBeside: true as const,
})
