/**
 * Addresses with credentials that an earlier version wrote down as they came: those that are still needed, in schedules,
 * open runs and jobs, are sealed; elsewhere they are made bare. Once done it finds nothing more.
 */

import type { Db, Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { bareAddress } from '../../domain/bare-address.ts'
import type { Secret } from '../../domain/secret.ts'
import { findSealingKey } from '../../secrets/canary.ts'
import { keepInput } from './source-address.ts'

/** Begins like an address, and has what may be a user or a query; rows that were made bare end in `?…` at most. */
const suspect = (column: string): string => sql`${column} ~* '^https?:.*[@?#]' AND ${column} NOT LIKE '%?…'`

const openPayload = (job: 'job' | 'name', column: 'payload' | 'data'): string =>
  sql`${job} = 'fetch-source' AND NOT ${column} ? 'sealed' AND ${suspect(`${column} ->> 'input'`)}`
const openRun = sql`sealed_input IS NULL AND ${suspect('input')}`
const openValidators = `validators ->> 'url' ~* '^https?:.*[@?#]' AND validators ->> 'url' !~ '#[0-9a-f]{32}$'`

/** Under a wrong secret key nothing is sealed: that is left to the next process with the right one. */
export async function sealStoredAddresses(db: Db, secretKey: Secret): Promise<void> {
  await db.transaction(async (tx) => {
    const [queue] = await tx.query<{ table: string | null }>(`SELECT to_regclass('pgboss.job')::text AS "table"`)
    const hasQueue = queue?.table !== null
    if (!(await findsAny(tx, hasQueue))) return
    const key = await findSealingKey(tx, secretKey)
    if (!key) return
    await sealPayloads(tx, key, 'runtime.schedule', 'payload')
    if (hasQueue) await sealPayloads(tx, key, 'pgboss.job', 'data')
    await sealRuns(tx, key, hasQueue)
  })
}

/** Asked first, so that a command that seals nothing neither waits for a rotation nor needs the secret key. */
async function findsAny(tx: Tx, hasQueue: boolean): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(
    sql`SELECT EXISTS (SELECT FROM runtime.schedule WHERE ${openPayload('job', 'payload')})
       OR EXISTS (SELECT FROM ingest.run WHERE ${openRun} OR ${openValidators})
       ${hasQueue ? sql`OR EXISTS (SELECT FROM pgboss.job WHERE ${openPayload('name', 'data')})` : ''} AS found`,
  )
  return row?.found === true
}

async function sealPayloads(
  tx: Tx,
  key: Secret,
  table: 'runtime.schedule' | 'pgboss.job',
  column: 'payload' | 'data',
): Promise<void> {
  const job = table === 'pgboss.job' ? 'name' : 'job'
  const found = await tx.query<{ input: string }>(
    sql`SELECT DISTINCT ${column} ->> 'input' AS input FROM ${table}
     WHERE ${openPayload(job, column)}`,
  )
  for (const { input } of found) {
    await tx.execute(
      sql`UPDATE ${table} SET ${column} = ${column} || $2::jsonb
       WHERE ${job} = 'fetch-source' AND NOT ${column} ? 'sealed' AND ${column} ->> 'input' = $1`,
      [input, JSON.stringify(keepInput(input, key))],
    )
  }
}

/** Messages, and the outputs of jobs, quote the address as it stood in the run. */
async function sealRuns(tx: Tx, key: Secret, hasQueue: boolean): Promise<void> {
  // Where a redirect led: its file is asked for as a whole once more.
  await tx.execute(
    sql`UPDATE ingest.run SET validators = NULL
     WHERE ${openValidators}`,
  )
  const found = await tx.query<{ input: string }>(sql`SELECT DISTINCT input FROM ingest.run WHERE ${openRun}`)
  for (const { input } of found) {
    const kept = keepInput(input, key)
    await tx.execute(
      `UPDATE ingest.run SET input = $2, sealed_input = $3, error = replace(error::text, $4, $5)::jsonb
       WHERE input = $1 AND sealed_input IS NULL`,
      [input, kept.input, kept.sealed ?? null, inJson(input), inJson(bareAddress(input))],
    )
    if (hasQueue) {
      await tx.execute(
        `UPDATE pgboss.job SET output = replace(output::text, $1, $2)::jsonb
         WHERE name = 'ingest-snapshot' AND strpos(output::text, $1) > 0`,
        [inJson(input), inJson(bareAddress(input))],
      )
    }
  }
}

/** As it stands within a text of JSON. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
