/**
 * Streams the leads of orders, a slice at a time, in the order of the request. Each slice is read after the previous
 * one was consumed, with what may be shared at that time. In between nothing is held: no connection, no transaction,
 * and only one slice of leads, so memory does not depend on the size of an order.
 */
import type { Db } from '../db/db.ts'
import type { EntityType } from '../domain/identity.ts'
import { AppError } from '../errors.ts'
import { type BuildRequest, buildLeads, itemsWithoutLead } from './build-leads.ts'
import { type LeadSlice, readLeadSlice, type ShownLead } from './read-leads.ts'
import { readUnpaidSlice } from './unpaid-leads.ts'

export interface OrderShown {
  readonly orderId: string
  readonly paymentStatus: string
  readonly status: string
}

const sliceTries = 3

type Building = Omit<BuildRequest, 'orderId'>

export interface SliceOptions extends Pick<LeadSlice, 'parts' | 'type'> {
  /** Maximum number of leads in the next slice. */
  readonly limit: () => number
  /** Provides a database for one read; the reads of one response may be far apart. */
  readonly read: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  readonly building: Building
  /** Spends the held credits of rows that are about to be shown. */
  readonly settle: (db: Db, orderId: string, type: EntityType | undefined) => Promise<unknown>
}

/** Paid and completed orders show their frozen leads; all others only what `unpaid-leads.ts` returns. */
export const isPaid = ({ paymentStatus, status }: OrderShown): boolean =>
  paymentStatus === 'paid' && status === 'completed'

/** Builds the leads that the job has not built yet. */
export async function completeLeads(db: Db, order: OrderShown, building: Building): Promise<void> {
  if (!isPaid(order) || (await itemsWithoutLead(db, order.orderId)).length === 0) return
  await buildLeads(db, { ...building, orderId: order.orderId })
}

export async function* leadSlices(
  orders: readonly OrderShown[],
  { read, building, settle, limit, ...options }: SliceOptions,
): AsyncGenerator<readonly ShownLead[]> {
  for (const order of orders) {
    for (let after: number | null = -1; after !== null; ) {
      const from: number = after
      const readIt = () =>
        inTime(() =>
          read(async (db) => {
            const slice = await readSlice(db, order, { ...options, limit: limit(), after: from }, building.leadSource)
            if (slice && isPaid(order)) await settle(db, order.orderId, options.type)
            return slice
          }),
        )
      let slice = await readIt()
      // Builds what the job has not built yet, after which the slice is complete.
      while (slice === undefined) {
        await read((db) => completeLeads(db, order, building))
        slice = await readIt()
      }
      yield slice.leads
      after = slice.last
    }
  }
}

/**
 * A slice is a short indexed read. If it runs into its deadline, the machine is overloaded; it is retried, because
 * the response has already begun and the file would otherwise end in the middle.
 */
async function inTime<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read()
    } catch (error) {
      const isLate = error instanceof AppError && error.extra['reason'] === 'statement_timeout'
      if (!isLate || tries === sliceTries) throw error
    }
  }
}

const readSlice = (db: Db, order: OrderShown, slice: LeadSlice, leadSource: string) =>
  isPaid(order)
    ? readLeadSlice(db, order.orderId, slice)
    : db.transaction((tx) => readUnpaidSlice(tx, { orderId: order.orderId, leadSource }, slice))
