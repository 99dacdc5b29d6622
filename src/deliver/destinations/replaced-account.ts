/**
 * The same credentials may lead into another account one day: a sandbox that is refreshed is a new org. Where the CRM
 * names its account with each sign-in, every delivery and plan compares it, and a destination whose account was
 * replaced is verified and set up again, as with new settings.
 */
import type { Db } from '../../db/db.ts'
import type { DestinationRow, OpenDestination } from './open-destination.ts'
import { verifyAccount } from './verify-account.ts'

/** @returns true if the account was replaced: the destination is no longer set up, and the caller verifies it. */
export async function isReplaced(
  db: Db,
  { destinationId, setUpAt, verifiedAccount }: DestinationRow,
  { connector, session }: OpenDestination,
): Promise<boolean> {
  if (setUpAt === null || verifiedAccount === null || connector.namesAccountAtSignIn !== true) return false
  const { account } = await session.identify()
  if (account === verifiedAccount) return false
  await db.execute(
    'UPDATE deliver.destination SET set_up_at = NULL WHERE destination_id = $1 AND verified_account = $2',
    [destinationId, verifiedAccount],
  )
  return true
}

/**
 * Before a plan: the ledger does not apply to another account. A destination that was never verified has no ledger.
 * @returns true if the account was verified, so that the ledger may have changed.
 */
export async function verifyIfTurned(db: Db, row: DestinationRow, open: OpenDestination): Promise<boolean> {
  if (row.verifiedAccount === null) return false
  if (row.setUpAt !== null && !(await isReplaced(db, row, open))) return false
  await verifyAccount(db, row, await open.session.identify())
  return true
}
