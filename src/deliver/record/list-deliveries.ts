/**
 * Lists and finds deliveries: what became of each lead in each destination, with the CRM's own words unless they name
 * somebody who objected.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { listSorts, type SortOf } from '../../db/list-sorts.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { fillSql } from '../../db/sql-template.ts'
import { madeUntil } from '../../db/until.ts'
import { externalIdsNamed } from '../../domain/entity-identifier.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { holdUpOf, type Standing, standingSql } from '../destinations/hold-up.ts'
import { withoutObjectors } from './without-objectors.ts'

export const deliveryOutcomes = ['created', 'updated', 'unchanged', 'rejected', 'pending', 'unknown'] as const
export type DeliveryOutcome = (typeof deliveryOutcomes)[number]

export interface DeliveryFilter {
  readonly accountId?: string | undefined
  readonly deliveryId?: string | undefined
  readonly orderId?: string | undefined
  readonly destinationId?: string | undefined
  readonly outcome?: DeliveryOutcome | undefined
  /** `gst:GSTIN`, `company:CIN`, `director:DIN`, or the identifier alone. */
  readonly record?: string | undefined
  /** Upper bound of `created_at`. */
  readonly until?: string | undefined
  readonly limit: number
  readonly offset: number
  readonly sort?: SortOf<'created_at' | 'at' | 'name' | 'outcome'> | undefined
}

/** Sorted by default by a value that no delivery changes, so that pages stay stable. */
export const deliverySorts = listSorts('created_at-', {
  by: { created_at: 'created_at', at: 'at', name: 'lower(name)', outcome: 'outcome' },
  tie: 'delivery_id',
})

export interface Delivery {
  readonly delivery_id: string
  readonly order_id: string
  readonly destination_id: string
  /** The account's current name for it. */
  readonly destination_name: string
  readonly record: string
  /** The lead's name as it was ordered. */
  readonly name: string
  readonly outcome: DeliveryOutcome
  /**
   * The CRM's code, field and message if it rejected or deferred the record, also when a delivered record is sent
   * again; while a delivery waits, what holds up its destination.
   */
  readonly code: string | null
  readonly field: string | null
  readonly message: string | null
  /** The record's id in the account that the destination leads into now; null if that account has not received it. */
  readonly crm_id: string | null
  /** The record's page in the CRM. */
  readonly crm_url: string | null
  readonly created_at: Date
  /** When it last changed. */
  readonly at: Date
  /** When a waiting delivery is retried; null if that is at once, or only after a person acts. */
  readonly next_attempt_at: Date | null
}

interface StoredDelivery extends Delivery {
  /** The state of the destination, while the delivery waits. */
  readonly standing: Standing | null
  /** Why its record was rejected after it was delivered; without a code if nothing is missing any more. */
  readonly since: Pick<Delivery, 'code' | 'field' | 'message'> | null
  /** URL template of the record's page. */
  readonly record_url: string | null
}

const chosen = sqlFile(import.meta.url, 'chosen-deliveries.sql')
const waiting = fillSql(sqlFile(import.meta.url, 'waiting-deliveries.sql'), { standing: standingSql })
const list = sqlFile(import.meta.url, 'list-deliveries.sql')
const until = madeUntil('created_at', '$9')
const countSql = fillSql(sqlFile(import.meta.url, 'count-deliveries.sql'), {
  chosen,
  until: madeUntil('created_at', '$6'),
})
const afterSql = fillSql(sqlFile(import.meta.url, 'list-deliveries-after.sql'), { chosen, waiting })

const recordsOf = ({ record }: Pick<DeliveryFilter, 'record'>): string[] | null =>
  record === undefined ? null : externalIdsNamed(record)

/** @returns the deliveries, newest first by default, and the total. A malformed id matches nothing. */
export async function listDeliveries(
  db: Db,
  filter: DeliveryFilter,
): Promise<{ readonly deliveries: Delivery[]; readonly total: number }> {
  const ids = [filter.accountId, filter.orderId, filter.destinationId, filter.deliveryId]
  if (ids.some((id) => id !== undefined && !isUuid(id))) return { deliveries: [], total: 0 }
  const sorted = deliverySorts.orderBy(filter.sort)
  const which = [...ids.slice(0, 3).map((id) => id ?? null), filter.outcome ?? null, recordsOf(filter)]
  const rows = await db.query<StoredDelivery & { total: number }>(fillSql(list, { chosen, waiting, sorted, until }), [
    ...which,
    filter.limit,
    filter.offset,
    filter.deliveryId ?? null,
    filter.until ?? null,
  ])
  const deliveries = rows.map(({ total: _, ...stored }) => toDelivery(stored))
  const isBeyond = rows.length === 0 && filter.offset > 0
  const [counted] = isBeyond ? await db.query<{ total: number }>(countSql, [...which, filter.until ?? null]) : rows
  return { deliveries: await withoutObjectors(db, deliveries), total: counted?.total ?? 0 }
}

/** One page in order of the ids, without a total; `offset` is not used. A malformed id matches nothing. */
export async function listDeliveriesAfter(
  db: Queryable,
  filter: Omit<DeliveryFilter, 'offset' | 'deliveryId' | 'sort' | 'until'>,
  after: string | null,
): Promise<Delivery[]> {
  const ids = [filter.accountId, filter.orderId, filter.destinationId]
  if (ids.some((id) => id !== undefined && !isUuid(id))) return []
  const rows = await db.query<StoredDelivery>(afterSql, [
    ...ids.map((id) => id ?? null),
    filter.outcome ?? null,
    recordsOf(filter),
    filter.limit,
    after,
  ])
  return withoutObjectors(db, rows.map(toDelivery))
}

function toDelivery({ standing, since, record_url: _, ...delivery }: StoredDelivery): Delivery {
  const holdUp = standing === null ? null : holdUpOf(standing)
  if (holdUp !== null) return { ...delivery, ...holdUp, field: null }
  return since === null ? delivery : { ...delivery, code: since.code, field: since.field, message: since.message }
}

/** @throws AppError NOT_FOUND, also for a delivery of another account if `accountId` is given. */
export async function readDelivery(db: Db, deliveryId: string, accountId?: string): Promise<Delivery> {
  const { deliveries } = await listDeliveries(db, { deliveryId, accountId, limit: 1, offset: 0 })
  const [found] = deliveries
  if (found) return found
  throw new AppError('NOT_FOUND', `There is no delivery ${deliveryId}.`)
}
