/**
 * Verifies which account a destination leads into, as the CRM itself names it. The ledger belongs to that account and
 * to what its records are there. A destination that was removed and added again adopts it. One that is pointed at
 * another account, or at records of another kind, starts with an empty ledger, and gets the old one back when it is
 * pointed back. What other destinations delivered into the same account is adopted as known. Idempotent.
 */
import type { RemoteAccount } from '../../../connectors/contract.ts'
import type { Db, Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { holdAccountOf } from './hold-account.ts'
import type { DestinationRow } from './open-destination.ts'

const adoptSql = sqlFile(import.meta.url, 'adopt-ledger.sql')
const leaveSql = sqlFile(import.meta.url, 'leave-ledger.sql')
const awaitApprovalSql = sqlFile(import.meta.url, 'await-approval.sql')
const startOverSql = sqlFile(import.meta.url, 'start-over.sql')

/**
 * True of a destination `d` with new settings that its CRM has not verified yet; one that was never verified has no
 * ledger.
 */
export const isTurned = (d: string): string => sql`(${d}.set_up_at IS NULL AND ${d}.verified_account IS NOT NULL)`

export async function verifyAccount(
  db: Db,
  row: DestinationRow,
  { account, holds = '', recordUrls }: RemoteAccount,
): Promise<void> {
  const { destinationId, accountId, connector } = row
  await db.transaction(async (tx) => {
    // As whoever enqueues or records an answer does first: neither happens in between.
    await holdAccountOf(tx, destinationId)
    const [before] = await tx.query<{ verified: string | null; holds: string; deliver: string }>(
      `SELECT verified_account AS verified, verified_holds AS holds, deliver FROM deliver.destination
       WHERE destination_id = $1 FOR NO KEY UPDATE`,
      [destinationId],
    )
    if (!before) return
    if (before.verified === account && before.holds === holds) {
      // The addresses of record pages may have changed, as those of a sandbox do with its port.
      await tx.execute(
        'UPDATE deliver.destination SET record_urls = $2 WHERE destination_id = $1 AND record_urls IS DISTINCT FROM $2::jsonb',
        [destinationId, JSON.stringify(recordUrls)],
      )
      return
    }
    if (before.verified !== null) {
      const leftId = await leaveAccount(tx, destinationId, before.verified)
      if (before.deliver === 'approved') await tx.execute(awaitApprovalSql, [destinationId])
      else await tx.execute(startOverSql, [destinationId, leftId])
    }
    await tx.execute(
      // Nothing was set up in the next account yet.
      `UPDATE deliver.destination SET set_up_at = CASE WHEN verified_account IS NULL THEN set_up_at END,
         verified_account = $2, record_urls = $3, verified_holds = $4 WHERE destination_id = $1`,
      [destinationId, account, JSON.stringify(recordUrls), holds],
    )
    const siblings = await tx.query<{ id: string }>(
      `SELECT destination_id AS id FROM deliver.destination
       WHERE account_id = $1 AND connector = $2 AND destination_id <> $3 AND verified_account = $4 AND verified_holds = $5`,
      [accountId, connector, destinationId, account, holds],
    )
    if (siblings.length === 0) return
    await tx.execute(adoptSql, [destinationId, siblings.map(({ id }) => id)])
    // What it left there is its own again, and from now on only its own rows describe it.
    const [left] = await tx.query<{ id: string }>(
      `SELECT destination_id AS id FROM deliver.destination
       WHERE former_of = $1 AND verified_account = $2 AND verified_holds = $3`,
      [destinationId, account, holds],
    )
    if (left) await takeBack(tx, destinationId, left.id)
  })
}

/**
 * What the previous account holds stays owed: it is requested again when the destination is pointed back, and
 * objections raised until then are noted for recall. A removed destination of that account keeps it, with the recalls
 * still open. Its deliveries stay where they are and name the account that received them.
 * @returns the id of that removed destination.
 */
async function leaveAccount(tx: Queryable, destinationId: string, account: string): Promise<string> {
  const [left] = await tx.query<{ id: string }>(
    `INSERT INTO deliver.destination AS d (account_id, connector, name, settings_encrypted, remote_account, status, verified_account,
       verified_holds, record_urls, former_of)
     SELECT account_id, connector, name, '', remote_account, 'removed', verified_account, verified_holds, record_urls, destination_id
     FROM deliver.destination WHERE destination_id = $1
     ON CONFLICT (former_of, verified_account, verified_holds) WHERE former_of IS NOT NULL
     DO UPDATE SET record_urls = EXCLUDED.record_urls, name = EXCLUDED.name
     RETURNING destination_id AS id`,
    [destinationId],
  )
  if (!left) throw new Error('a destination that is turned is there')
  await tx.execute(leaveSql, [destinationId, left.id])
  await tx.execute(
    `UPDATE deliver.recall r SET destination_id = $2 WHERE destination_id = $1 AND status = 'pending'
       AND NOT EXISTS (SELECT FROM deliver.recall l WHERE l.destination_id = $2 AND l.external_id = r.external_id AND l.status = 'pending')`,
    [destinationId, left.id],
  )
  await moveAdoptions(tx, destinationId, left.id)
  // That a record there belongs to no lead does not carry over to the next account.
  await tx.execute('DELETE FROM deliver.unmatched WHERE destination_id = $1', [destinationId])
  await tx.execute(
    `UPDATE deliver.delivery SET remote_account = $2
     WHERE destination_id = $1 AND crm_id IS NOT NULL AND remote_account IS NULL`,
    [destinationId, account],
  )
  return left.id
}

async function takeBack(tx: Queryable, destinationId: string, leftId: string): Promise<void> {
  // What was sent and never acknowledged may exist there all the same, and is not a user's edit. `adopt` took it over
  // only if this destination's answer was the latest one.
  await tx.execute(
    `UPDATE deliver.record r SET unconfirmed = r.unconfirmed || l.unconfirmed
     FROM deliver.record l
     WHERE r.destination_id = $1 AND l.destination_id = $2 AND l.external_id = r.external_id
       AND l.unconfirmed IS NOT NULL AND NOT coalesce(r.unconfirmed @> l.unconfirmed, false)`,
    [destinationId, leftId],
  )
  // What is not owed before a plan is approved has no record here yet, and is still known there.
  await tx.execute(
    `UPDATE deliver.record l SET state = 'rejected', outcome = NULL, acknowledged_sha256 = NULL, acknowledged_at = NULL,
       pushed_values = NULL, crm_id = NULL, reading = NULL, fixes = NULL, unconfirmed = NULL
     FROM deliver.record r
     WHERE l.destination_id = $2 AND r.destination_id = $1 AND r.external_id = l.external_id`,
    [destinationId, leftId],
  )
  await moveAdoptions(tx, leftId, destinationId)
}

/** Which records existed before belongs to the account they are in: elsewhere the same id is another record. */
async function moveAdoptions(tx: Queryable, fromId: string, toId: string): Promise<void> {
  await tx.execute(
    `WITH moved AS (DELETE FROM deliver.adoption WHERE destination_id = $1 RETURNING crm_id, external_id, adopted_at)
     INSERT INTO deliver.adoption AS a (destination_id, crm_id, external_id, adopted_at)
     SELECT $2, crm_id, external_id, adopted_at FROM moved
     ON CONFLICT (destination_id, crm_id) DO UPDATE SET external_id = EXCLUDED.external_id, adopted_at = EXCLUDED.adopted_at`,
    [fromId, toId],
  )
}
