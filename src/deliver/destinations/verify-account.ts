/**
 * Whose account a destination leads into, as the CRM itself says. The ledger belongs to that account and to what its records are
 * there: a destination that was removed and added again finds it, one that is turned to another account, or to records of another
 * kind, starts anew, and what a second one holds in the same account is no news of this one. Run twice it changes nothing.
 */
import type { RemoteAccount } from '../../../connectors/contract.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { sqlFile } from '../../db/sql-file.ts'
import type { DestinationRow } from './open-destination.ts'

const adoptSql = sqlFile(import.meta.url, 'adopt-ledger.sql')

/** True of a destination `d` that was given new settings and has not asked its CRM since; one that never asked has no ledger. */
export const isTurned = (d: string): string => sql`(${d}.set_up_at IS NULL AND ${d}.verified_account IS NOT NULL)`

export async function verifyAccount(
  db: Db,
  row: DestinationRow,
  { account, holds = '', recordUrls }: RemoteAccount,
): Promise<void> {
  const { destinationId, accountId, connector } = row
  await db.transaction(async (tx) => {
    const [before] = await tx.query<{ verified: string | null; holds: string }>(
      `SELECT verified_account AS verified, verified_holds AS holds FROM deliver.destination
       WHERE destination_id = $1 FOR UPDATE`,
      [destinationId],
    )
    if (!before) return
    if (before.verified === account && before.holds === holds) {
      // The pages may have moved, as those of a sandbox do with its port.
      await tx.execute(
        'UPDATE deliver.destination SET record_urls = $2 WHERE destination_id = $1 AND record_urls IS DISTINCT FROM $2::jsonb',
        [destinationId, JSON.stringify(recordUrls)],
      )
      return
    }
    if (before.verified !== null) await forgetAcknowledgements(tx.execute, destinationId)
    await tx.execute(
      'UPDATE deliver.destination SET verified_account = $2, record_urls = $3, verified_holds = $4 WHERE destination_id = $1',
      [destinationId, account, JSON.stringify(recordUrls), holds],
    )
    const kin = await tx.query<{ id: string }>(
      `SELECT destination_id AS id FROM deliver.destination
       WHERE account_id = $1 AND connector = $2 AND destination_id <> $3 AND verified_account = $4 AND verified_holds = $5`,
      [accountId, connector, destinationId, account, holds],
    )
    if (kin.length > 0) await tx.execute(adoptSql, [destinationId, kin.map(({ id }) => id)])
  })
}

/** Another account holds none of what the one before acknowledged. */
async function forgetAcknowledgements(
  execute: (sql: string, values: readonly unknown[]) => Promise<number>,
  destinationId: string,
): Promise<void> {
  await execute(
    `UPDATE deliver.record SET state = 'pending', outcome = NULL, acknowledged_sha256 = NULL, acknowledged_at = NULL,
       pushed_values = NULL, crm_id = NULL, attempts = 0, next_attempt_at = NULL, last_error = NULL
     WHERE destination_id = $1`,
    [destinationId],
  )
}
