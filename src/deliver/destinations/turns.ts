/**
 * Rotation of a mapping's `round_robin` members: a record keeps the member it has, a new one gets the next. Turns are
 * taken when leads are sent; a plan only predicts them.
 */
import type { Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'

/** @returns one of `members` for each record, by external id. */
export type Turns = (
  field: string,
  members: readonly string[],
  externalIds: readonly string[],
) => Promise<ReadonlyMap<string, string>>

interface Turn {
  readonly externalId: string
  readonly value: string
}

const takeSql = sqlFile(import.meta.url, 'take-turns.sql')

export const takeTurns =
  (db: Queryable, destinationId: string): Turns =>
  async (field, members, externalIds) =>
    byRecord(await db.query<Turn>(takeSql, [destinationId, field, members, externalIds]))

/** Predicts the turns in the order in which they are requested. Writes nothing. */
export function foreseeTurns(db: Queryable, destinationId: string): Turns {
  const foreseen = new Map<string, { next: number; readonly turns: Map<string, string> }>()
  return async (field, members, externalIds) => {
    const key = JSON.stringify([field, members])
    const state = foreseen.get(key) ?? { next: await countTaken(db, [destinationId, field, members]), turns: new Map() }
    foreseen.set(key, state)
    const held = await db.query<Turn>(
      `SELECT external_id AS "externalId", value FROM deliver.turn
       WHERE destination_id = $1 AND field = $2 AND external_id = ANY ($4) AND value = ANY ($3)`,
      [destinationId, field, members, externalIds],
    )
    for (const { externalId, value } of held) state.turns.set(externalId, value)
    for (const id of externalIds) {
      if (state.turns.has(id)) continue
      state.turns.set(id, members[state.next % members.length] ?? '')
      state.next += 1
    }
    return state.turns
  }
}

async function countTaken(db: Queryable, key: readonly unknown[]): Promise<number> {
  const [row] = await db.query<{ taken: number }>(
    'SELECT taken FROM deliver.rotation WHERE destination_id = $1 AND field = $2 AND members = $3',
    key,
  )
  return row?.taken ?? 0
}

const byRecord = (turns: readonly Turn[]): ReadonlyMap<string, string> =>
  new Map(turns.map(({ externalId, value }) => [externalId, value]))
