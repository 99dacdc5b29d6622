/** Traces each item of an order from the snapshot to the CRM: its origin, its cost, and its deliveries. */
import type { Queryable } from '../db/db.ts'
import { sqlFile } from '../db/sql-file.ts'
import type { EntityType } from '../domain/identity.ts'
import { readOrder } from './read-orders.ts'

export interface TracedItem {
  readonly index: number
  readonly type: EntityType
  readonly number: string
  readonly name: string
  readonly snapshot: {
    readonly source: string
    /** Last part of its path or address. */
    readonly name: string
    readonly sha256: string | null
    readonly day: string
    readonly line: number | null
    readonly run_id: number
  } | null
  readonly registry_version: number | null
  readonly lead: { readonly sha256: string; readonly built_at: string } | null
  /** In the order of the lead's own contacts; without those that objected since. */
  readonly contacts: readonly {
    readonly kind: 'email' | 'mobile' | 'landline'
    readonly source: string | null
    readonly file: string | null
    readonly sha256: string | null
    readonly day: string
    readonly do_not_contact: boolean
    readonly preferences: readonly { readonly preference: string; readonly list: string; readonly day: string }[]
  }[]
  readonly entries: readonly {
    readonly entry_id: number
    readonly at: string
    readonly kind: 'spend' | 'hold' | 'settle' | 'release' | 'refund'
    readonly reference: string
    /** Effect on the balance: a settlement spends what was held. */
    readonly amount: number
  }[]
  readonly deliveries: readonly {
    readonly delivery_id: string
    readonly destination_id: string
    readonly outcome: string
    readonly crm_id: string | null
    readonly crm_url: string | null
    readonly at: string
  }[]
}

const traceItems = sqlFile(import.meta.url, 'trace-items.sql')

/** @throws AppError NOT_FOUND for others' orders. */
export async function traceOrder(db: Queryable, accountId: string, orderId: string): Promise<TracedItem[]> {
  await readOrder(db, accountId, orderId)
  return db.query<TracedItem>(traceItems, [orderId])
}
