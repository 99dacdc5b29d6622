/**
 * Addresses with credentials that an earlier version wrote down as they came: those that are still needed, in schedules,
 * open runs and jobs, are sealed; elsewhere they are made bare. Once done it finds nothing more.
 */

import type { Db, Tx } from '../../db/db.ts'
import { bareAddress } from '../../domain/bare-address.ts'
import type { Secret } from '../../domain/secret.ts'
import { keepInput } from './source-address.ts'

/** Begins like an address, and has what may be a user or a query; rows that were made bare end in `?…` at most. */
const suspect = (column: string): string => `${column} ~* '^https?:.*[@?#]' AND ${column} NOT LIKE '%?…'`

export async function sealStoredAddresses(db: Db, secretKey: Secret): Promise<void> {
  await db.transaction(async (tx) => {
    await sealPayloads(tx, secretKey, 'runtime.schedule', 'payload')
    const [queue] = await tx.query<{ table: string | null }>(`SELECT to_regclass('pgboss.job')::text AS "table"`)
    if (queue?.table) await sealPayloads(tx, secretKey, 'pgboss.job', 'data')
    await sealRuns(tx, secretKey, queue?.table !== null)
  })
}

async function sealPayloads(
  tx: Tx,
  secretKey: Secret,
  table: 'runtime.schedule' | 'pgboss.job',
  column: 'payload' | 'data',
): Promise<void> {
  const job = table === 'pgboss.job' ? 'name' : 'job'
  const found = await tx.query<{ input: string }>(
    `SELECT DISTINCT ${column} ->> 'input' AS input FROM ${table}
     WHERE ${job} = 'fetch-source' AND NOT ${column} ? 'sealed' AND ${suspect(`${column} ->> 'input'`)}`,
  )
  for (const { input } of found) {
    await tx.execute(
      `UPDATE ${table} SET ${column} = ${column} || $2::jsonb
       WHERE ${job} = 'fetch-source' AND NOT ${column} ? 'sealed' AND ${column} ->> 'input' = $1`,
      [input, JSON.stringify(keepInput(input, secretKey))],
    )
  }
}

/** Messages, and the outputs of jobs, quote the address as it stood in the run. */
async function sealRuns(tx: Tx, secretKey: Secret, hasQueue: boolean): Promise<void> {
  // Where a redirect led: its file is asked for as a whole once more.
  await tx.execute(
    `UPDATE ingest.run SET validators = NULL
     WHERE validators ->> 'url' ~* '^https?:.*[@?#]' AND validators ->> 'url' !~ '#[0-9a-f]{32}$'`,
  )
  const found = await tx.query<{ input: string }>(
    `SELECT DISTINCT input FROM ingest.run WHERE sealed_input IS NULL AND ${suspect('input')}`,
  )
  for (const { input } of found) {
    const kept = keepInput(input, secretKey)
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
