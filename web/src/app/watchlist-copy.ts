/**
 * A copy of a watchlist before it is deleted, so that it can be recreated. The days on which records were added are not
 * kept.
 */
import { api, dataOf } from '../wire/api.ts'
import type { RecordType } from './listed/record-table.tsx'

/** A longer one would take too many requests to copy. */
export const copiedMax = 1_000
const pageMax = 100

export interface WatchlistCopy {
  readonly name: string
  readonly type: RecordType
  readonly entities: readonly { readonly identifier: string; readonly name: string }[]
}

/** @returns undefined for a list that is too long. */
export async function copyOf(id: string): Promise<WatchlistCopy | undefined> {
  const read = async (page: number) => {
    const params = { path: { watchlist_id: id }, query: { page, limit: pageMax } }
    return dataOf(await api.GET('/api/watchlist/{watchlist_id}', { params }))
  }
  const first = await read(1)
  if (first.total > copiedMax) return undefined
  const { name, type } = first.data
  const entities = [...first.data.entities]
  for (let page = 2; page <= Math.ceil(first.total / pageMax); page++)
    entities.push(...(await read(page)).data.entities)
  return { name, type, entities: entities.map((each) => ({ identifier: each.identifier, name: each.name })) }
}

export async function makeAgain({ name, type, entities }: WatchlistCopy): Promise<unknown> {
  const body = { name, watchlist_type: type, ...(entities.length > 0 && { entities: [...entities] }) }
  return dataOf(await api.POST('/api/watchlist', { body }))
}
