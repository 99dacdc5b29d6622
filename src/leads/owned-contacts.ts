/**
 * The contacts of a record whose lead an account bought: those of its newest lead that may be shared today. Nothing
 * for a record that it did not buy, did not pay for, or got a refund for.
 */
import type { LeadRow } from '../../config/lead-columns.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { EntityType } from '../domain/identity.ts'
import { withholdFromLeads } from '../suppression/withhold-leads.ts'
import type { ContactWay } from './lead-record.ts'
import type { FullData } from './nested-lead.ts'

export interface OwnedWay {
  readonly kind: ContactWay['kind']
  readonly value: string
  readonly source: string | null
  /** Day of the file; null in leads that were frozen before it was stored. */
  readonly day: string | null
  readonly do_not_contact: boolean
}

export interface OwnedLead {
  readonly orderId: string
  readonly boughtAt: Date
  readonly ways: readonly OwnedWay[]
  readonly website: string | null
}

interface Found extends Omit<OwnedLead, 'ways' | 'website'> {
  readonly type: EntityType
  readonly row: LeadRow
  readonly fullData: FullData
}

const owned = `purchase.account_id = $1 AND purchase.payment_status = 'paid' AND purchase.status = 'completed'
  AND item.refunded_at IS NULL AND item.withdrawn_at IS NULL`
const chargedAt = 'coalesce(item.reclaimed_at, purchase.paid_at)'

/** @returns the item of its newest lead; undefined if the account owns none. */
export async function findOwnedItem(
  db: Db,
  accountId: string,
  { type, identifier }: { readonly type: EntityType; readonly identifier: string },
): Promise<string | undefined> {
  const [found] = await db.query<{ itemId: string }>(
    sql`SELECT item.item_id AS "itemId" FROM orders.item JOIN orders.purchase USING (order_id) JOIN orders.lead USING (item_id)
     WHERE item.type = $2 AND item.identifier = $3 AND ${owned} ORDER BY ${chargedAt} DESC, item.item_id LIMIT 1`,
    [accountId, type, identifier],
  )
  return found?.itemId
}

/** @returns undefined if the account no longer owns it: its held credit may have been returned since it was found. */
export async function readOwnedLead(db: Db, accountId: string, itemId: string): Promise<OwnedLead | undefined> {
  const [found] = await db.query<Found>(
    sql`SELECT item.order_id AS "orderId", ${chargedAt} AS "boughtAt", item.type,
       lead.flat AS row, lead.full_data AS "fullData"
     FROM orders.item JOIN orders.purchase USING (order_id) JOIN orders.lead USING (item_id) WHERE item.item_id = $2 AND ${owned}`,
    [accountId, itemId],
  )
  if (!found) return undefined
  const { orderId, boughtAt } = found
  const [lead] = await withholdFromLeads(db, [found])
  return { orderId, boughtAt, ways: lead ? waysOf(lead) : [], website: lead?.fullData.website ?? null }
}

function waysOf({ row, fullData }: Pick<Found, 'row' | 'fullData'>): OwnedWay[] {
  const contacts = fullData.contacts as readonly ContactWay[] | undefined
  if (contacts)
    return contacts.map(({ kind, value, source, day, do_not_contact: barred }) => ({
      ...{ kind, value, source, day, do_not_contact: barred },
    }))
  const kept = { email: row['Email'], mobile: row['Mobile'], landline: row['Phone'] } as const
  return Object.entries(kept).flatMap(([kind, value]) =>
    typeof value === 'string'
      ? [{ kind: kind as OwnedWay['kind'], value, source: null, day: null, do_not_contact: false }]
      : [],
  )
}
