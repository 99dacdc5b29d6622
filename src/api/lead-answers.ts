/**
 * Responses with the leads of orders, streamed as they are read, except small ones, which are built whole. The first
 * order is complete before anything is sent, so that an error is a proper response and not a truncated file. What the
 * response shows is recorded in the audit log.
 */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { openAnswers as bounds } from '../../config/plans.ts'
import { accountDb, actForAccount } from '../db/account-scope.ts'
import type { Db } from '../db/db.ts'
import type { EntityType } from '../domain/identity.ts'
import { completeLeads, isPaid, leadSlices } from '../leads/lead-slices.ts'
import { identifiersOfLeads, type LeadSlice, type ShownLead } from '../leads/read-leads.ts'
import { sliceLimit } from '../leads/slice-limit.ts'
import { refundItems, settleRead } from '../orders/ledger.ts'
import type { Order } from '../orders/order.ts'
import { addReadings } from './hooks/audit-log.ts'
import { reasonOf } from './order-audit-log.ts'
import { principalOf, type RouteContext } from './route-context.ts'

export interface LeadAnswer {
  /** Streams the leads of the orders, from the start on each call. */
  slices(parts: LeadSlice['parts'], type?: EntityType): AsyncIterable<readonly ShownLead[]>
  send(reply: FastifyReply, body: Readable): Promise<FastifyReply>
}

export async function beginLeadAnswer(
  { expensiveReads, openAnswers, settings }: Pick<RouteContext, 'expensiveReads' | 'openAnswers' | 'settings'>,
  request: FastifyRequest,
  reply: FastifyReply,
  orders: readonly Order[],
): Promise<LeadAnswer> {
  const building = { leadSource: settings.leadSource, refund: refundItems }
  const isWhole = orders.reduce((items, { itemsCount }) => items + itemsCount, 0) <= bounds.whole.itemsMax
  openAnswers.hold(request, reply, isWhole ? 'whole' : orders.some(isPaid) ? 'paid' : 'unpaid')
  const { accountId, viewer } = principalOf(request)
  // An operator who views the account spends none of its credits.
  const settle = viewer ? async () => {} : settleRead
  // All but the first read happen when the connection asks for more, outside any call.
  const read = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    actForAccount(accountId, () => expensiveReads.runInTurn(request, (db) => work(accountDb(db))))
  const [only, ...more] = orders
  if (only) await read((db) => completeLeads(db, only, building))
  if (only && more.length === 0) {
    const identifiers = await read((db) => identifiersOfLeads(db, only.orderId))
    addReadings(request, { identifiers, reason: reasonOf(only) })
  } else {
    // The orders are recorded themselves, since their records may be a million.
    const identifiers = orders.map(({ orderId }) => orderId)
    addReadings(request, { identifiers, reason: `export of ${orders.length} orders` })
  }
  return {
    slices: (parts, type) =>
      leadSlices(orders, { read, building, settle, parts, type, limit: () => sliceLimit(parts, openAnswers.open()) }),
    send: async (to, body) => to.send(isWhole ? await buffer(body) : body),
  }
}

export const textStream = (chunks: AsyncIterable<string>): Readable => Readable.from(chunks, { objectMode: false })
