/**
 * Erases addresses and numbers of people who objected from what deliveries keep besides the leads: values that were
 * fixed by hand, and answers of CRMs that quote what they refused.
 */
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { suppressedTexts } from './suppressed-texts.ts'

const erased = 'erased: somebody whom the answer names objected'

export async function eraseFromDeliveries(db: Queryable): Promise<void> {
  await eraseFixes(db)
  await eraseMessages(db)
}

/** A fix of another column stays. What was sent with an erased one goes too. */
async function eraseFixes(db: Queryable): Promise<void> {
  await db.execute(
    `WITH kept AS (
       SELECT destination_id, external_id, (
         SELECT jsonb_object_agg(key, value) FROM jsonb_each(r.fixes) WHERE NOT EXISTS (
           SELECT FROM (VALUES (value ->> 'was'), (value ->> 'now')) AS either (held)
           WHERE access.on_list('email', held) OR access.on_list('mobile', held))) AS fixes
       FROM deliver.record r WHERE r.fixes IS NOT NULL
     ), held AS MATERIALIZED (
       SELECT r.destination_id, r.external_id, kept.fixes FROM kept JOIN deliver.record r USING (destination_id, external_id)
       WHERE r.fixes IS DISTINCT FROM kept.fixes
       -- All writers lock the rows in this order.
       ORDER BY r.destination_id, r.external_id
       FOR UPDATE OF r
     ), changed AS (
       UPDATE deliver.record r SET fixes = held.fixes FROM held
       WHERE r.destination_id = held.destination_id AND r.external_id = held.external_id
       RETURNING r.destination_id, r.external_id
     )
     DELETE FROM deliver.attempt a USING changed c
     WHERE a.external_id = c.external_id AND a.destination_id = c.destination_id`,
  )
}

/** Finds them as the readers that hide them do. Many records have the same message. */
async function eraseMessages(db: Queryable): Promise<void> {
  const rows = await db.query<{ message: string }>(
    `SELECT DISTINCT message FROM (
       SELECT last_error ->> 'message' AS message FROM deliver.record
       UNION ALL SELECT last_error ->> 'message' FROM deliver.delivery
       UNION ALL SELECT refused ->> 'message' FROM deliver.event, jsonb_array_elements(data -> 'rejects') AS refused
       WHERE type = 'delivery.rejected'
     ) AS answers WHERE message ~ '@|[0-9][0-9 ().-]{5}'`,
  )
  const messages = rows.map(({ message }) => message)
  const isHeld = await suppressedTexts(db, messages)
  const held = messages.filter(isHeld)
  if (held.length === 0) return
  const values = [held, JSON.stringify({ message: erased })]
  const keys = { 'deliver.record': 'external_id', 'deliver.delivery': 'item_id' }
  for (const [table, key] of Object.entries(keys)) {
    await db.execute(
      sql`UPDATE ${table} AS r SET last_error = last_error || $2::jsonb
       FROM (SELECT destination_id, ${key} FROM ${table} WHERE last_error ->> 'message' = ANY ($1)
         ORDER BY destination_id, external_id FOR UPDATE) AS held
       WHERE r.destination_id = held.destination_id AND r.${key} = held.${key}`,
      values,
    )
  }
  await db.execute(
    `UPDATE deliver.event SET data = jsonb_set(data, '{rejects}', (
       SELECT jsonb_agg(CASE WHEN refused ->> 'message' = ANY ($1) THEN refused || $2::jsonb ELSE refused END)
       FROM jsonb_array_elements(data -> 'rejects') AS refused))
     WHERE type = 'delivery.rejected' AND EXISTS (
       SELECT FROM jsonb_array_elements(data -> 'rejects') AS refused WHERE refused ->> 'message' = ANY ($1))`,
    values,
  )
}
