/**
 * Orders go in, their leads come out in the order of the request, a few at a time: what was bought is shown once it is
 * paid for. Each slice is read when the one before it was taken, as its leads may leave then, and nothing is held meanwhile:
 * no connection, no transaction, and of the leads one slice. An order of any size costs its reader the same memory.
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

export interface SlicesAsked extends Pick<LeadSlice, 'parts' | 'type'> {
  /** Leads of the next slice at most. */
  readonly limit: () => number
  /** Lends a database for one read; the reads of one answer may be far apart. */
  readonly read: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  readonly building: Building
  /** Spends what is only held of rows that are about to be shown. */
  readonly settle: (db: Db, orderId: string, type: EntityType | undefined) => Promise<unknown>
}

/** Orders that are paid and completed bring their frozen leads; all others what `unpaid-leads.ts` says, and no more. */
export const isPaid = ({ paymentStatus, status }: OrderShown): boolean =>
  paymentStatus === 'paid' && status === 'completed'

/** Leads that the job has not built yet are built now. */
export async function completeLeads(db: Db, order: OrderShown, building: Building): Promise<void> {
  if (!isPaid(order) || (await itemsWithoutLead(db, order.orderId)).length === 0) return
  await buildLeads(db, { ...building, orderId: order.orderId })
}

export async function* leadSlices(
  orders: readonly OrderShown[],
  { read, building, settle, limit, ...asked }: SlicesAsked,
): AsyncGenerator<readonly ShownLead[]> {
  for (const order of orders) {
    for (let after: number | null = -1; after !== null; ) {
      const from: number = after
      const readIt = () =>
        inTime(() =>
          read(async (db) => {
            const slice = await readSlice(db, order, { ...asked, limit: limit(), after: from }, building.leadSource)
            if (slice && isPaid(order)) await settle(db, order.orderId, asked.type)
            return slice
          }),
        )
      let slice = await readIt()
      // What a job has not built yet is built now, and nothing is left to build then.
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
 * A slice is a short read by index. One that was stopped at its deadline met a machine with no time for it; it is asked for again,
 * for what was sent before it cannot be taken back, and the file would end in its middle.
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
