/**
 * The same credentials may lead into another account one day: a sandbox that is refreshed is a new org. Where the CRM
 * names its account with each sign-in, every delivery and plan compares it, and a destination whose account was
 * replaced is verified and set up again, as with new settings.
 */
import type { RemoteAccount } from '../../../connectors/contract.ts'
import type { Db } from '../../db/db.ts'
import { type DeliveryParts, type DestinationRow, findConnector, type OpenDestination } from './open-destination.ts'
import { verifyAccount } from './verify-account.ts'

export async function isReplaced(
  { verifiedAccount }: DestinationRow,
  { connector, session }: OpenDestination,
): Promise<boolean> {
  if (verifiedAccount === null || connector.namesAccountAtSignIn !== true) return false
  return (await session.identify()).account !== verifiedAccount
}

/**
 * Before a plan: the ledger does not apply to another account. A destination that was never verified has no ledger.
 * @returns true if the account was verified, so that the ledger may have changed.
 */
export async function verifyIfTurned(db: Db, row: DestinationRow, open: OpenDestination): Promise<boolean> {
  if (row.verifiedAccount === null) return false
  if (row.setUpAt !== null && !(await isReplaced(row, open))) return false
  await verifyAccount(db, row, await open.session.identify())
  return true
}

/**
 * Whether new credentials may lead a destination into this account: its first one, or one that replaced its own at the
 * same address.
 */
export async function replacesAccount(
  { db, connectors }: Pick<DeliveryParts, 'db' | 'connectors'>,
  { destinationId, connector, verifiedAccount }: DestinationRow,
  { recordUrls }: RemoteAccount,
): Promise<boolean> {
  if (verifiedAccount === null) return true
  if (findConnector(connectors, connector).namesAccountAtSignIn !== true) return false
  const sameAddress = await db.query(
    'SELECT FROM deliver.destination WHERE destination_id = $1 AND record_urls = $2::jsonb',
    [destinationId, JSON.stringify(recordUrls)],
  )
  return sameAddress.length > 0
}
