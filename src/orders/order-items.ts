/**
 * Validates the items of an order and normalizes their identifiers. Faults name the index of the item, counted from 0
 * as in the request.
 */
import type { Queryable } from '../db/db.ts'
import { sqlFile } from '../db/sql-file.ts'
import { grouped } from '../domain/counted.ts'
import { readIdentifier } from '../domain/entity-identifier.ts'
import type { EntityType } from '../domain/identity.ts'
import { AppError } from '../errors.ts'

export interface RequestedItem {
  readonly type: EntityType
  readonly name: string
  /** CIN or LLPIN, DIN or GSTIN, as people write them. */
  readonly number: string
}

export interface OrderItem {
  readonly type: EntityType
  readonly name: string
  readonly identifier: string
}

interface Fault {
  readonly index: number
  readonly message: string
}

export const orderItemsMax = 1000

/** For the account $1 and the items $2 and $3. */
export const reachText = sqlFile(import.meta.url, 'reach-items.sql')
const reachItems = { name: 'reach-items', text: reachText }

/** Whether each item has a contact that the account may use, in the order of the items. */
export function countContacts(
  db: Queryable,
  accountId: string,
  items: readonly { readonly type: string; readonly identifier: string }[],
): Promise<{ readonly hasContact: boolean }[]> {
  return db.query(reachItems, [accountId, items.map(({ type }) => type), items.map(({ identifier }) => identifier)])
}

/**
 * @throws AppError BAD_REQUEST for too few or too many items, UNPROCESSABLE for malformed identifiers and duplicates.
 */
export function readOrderItems(requested: readonly RequestedItem[]): OrderItem[] {
  if (requested.length < 1 || requested.length > orderItemsMax) {
    throw new AppError(
      'BAD_REQUEST',
      `items must hold 1 to ${grouped(orderItemsMax)} items; these are ${grouped(requested.length)}.`,
    )
  }
  const readings = requested.map((item) => readIdentifier(item.type, item.number))
  const faults = readings.flatMap((reading, index): Fault[] =>
    reading.ok ? [] : [{ index, message: reading.message }],
  )
  if (faults[0]) throw malformed(faults[0], faults)

  const items = requested.flatMap(({ type, name }, index): OrderItem[] => {
    const reading = readings[index]
    return reading?.ok ? [{ type, name, identifier: reading.identifier }] : []
  })
  refuseDuplicates(items)
  return items
}

function malformed(first: Fault, faults: readonly Fault[]): AppError {
  const more =
    faults.length > 1 ? ` ${faults.length - 1} more ${faults.length === 2 ? 'is' : 'are'} malformed, too.` : ''
  return new AppError('UNPROCESSABLE', `items[${first.index}].number ${first.message}.${more}`, {
    extra: { index: first.index, indexes: faults.map(({ index }) => index), items: faults },
  })
}

function refuseDuplicates(items: readonly OrderItem[]): void {
  const indexesOf = new Map<string, number[]>()
  for (const [index, { type, identifier }] of items.entries()) {
    const key = `${type}:${identifier}`
    indexesOf.set(key, [...(indexesOf.get(key) ?? []), index])
  }
  const repeated = [...indexesOf].filter(([, indexes]) => indexes.length > 1)
  const [first] = repeated
  if (!first) return
  const [key, indexes] = first
  throw new AppError('UNPROCESSABLE', `items ${indexes.join(', ')} are the same: ${key}. Order each record once.`, {
    extra: { index: indexes[1], indexes: repeated.flatMap(([, each]) => each).sort((a, b) => a - b) },
  })
}
