/**
 * Ends a sign-in at a CRM's own page: the word that the browser showed goes in, a destination comes out, its credentials sealed
 * and its account named by the CRM itself before anything is kept. A word is taken once; what fails after that is begun again.
 */
import type { RenewSettings } from '../../../connectors/renew-settings.ts'
import { AppError } from '../../errors.ts'
import type { DestinationView } from '../destinations/destination-view.ts'
import { showDestination } from '../destinations/destination-view.ts'
import { addDestination, updateDestination } from '../destinations/destinations.ts'
import { findConnector, readDestination } from '../destinations/open-destination.ts'
import { verifyAccount } from '../destinations/verify-account.ts'
import { createLimiter } from '../lease/limiter.ts'
import { appOf, type ConnectParts, hashOf, openConsent, type SealedConsent, webConnectOf } from './connect-parts.ts'

export interface ConsentWord {
  readonly accountId: string
  /** As it began. */
  readonly begunBy: string
  readonly word: string
}

interface TakenConsent {
  readonly consentId: string
  readonly accountId: string
  readonly connector: string
  readonly destinationId: string | null
  readonly redirectUri: string
  readonly sealed: Buffer
}

/** @throws AppError NOT_FOUND, CRM_UNAUTHORIZED, CRM_UNAVAILABLE, CONFLICT, DESTINATION_INVALID, QUOTA_EXCEEDED. */
export async function finishConsent(
  parts: ConnectParts,
  given: ConsentWord,
  signal: AbortSignal,
): Promise<DestinationView> {
  const { db, connectors, secretKey } = parts
  const taken = await take(parts, given)
  const opened = openConsent(taken.sealed, taken, secretKey)
  if (opened?.code === undefined) throw wordUnknown()
  const { values, remote } = await signIn(parts, taken, { ...opened, code: opened.code }, signal)
  const { accountId, connector, destinationId } = taken
  if (destinationId !== null) {
    const row = await readDestination(db, destinationId, accountId)
    if (row.verifiedAccount !== null && row.verifiedAccount !== remote.account) {
      throw new AppError(
        'CONFLICT',
        `The browser signed in to ${remote.account}, and this destination leads into ${row.verifiedAccount}; sign in there, or add another destination`,
      )
    }
    await updateDestination(parts, destinationId, { settings: values }, accountId)
    await verifyAccount(db, row, remote)
    return showDestination(parts, destinationId, accountId)
  }
  const { name, terms } = opened
  const added = await addDestination(db, connectors, secretKey, {
    accountId,
    connector,
    name: name ?? connector,
    settings: values,
    ...terms,
  })
  await verifyAccount(db, await readDestination(db, added.destination_id, accountId), remote)
  return showDestination(parts, added.destination_id, accountId)
}

/** Another account's word, another session's, and none at all are told apart by nobody. */
async function take({ db }: ConnectParts, { accountId, begunBy, word }: ConsentWord): Promise<TakenConsent> {
  const [row] = await db.transaction((tx) =>
    tx.query<TakenConsent>(
      `UPDATE deliver.consent c SET finished_at = now(), sealed = '' FROM deliver.consent before
       WHERE before.consent_id = c.consent_id AND c.word_sha256 = $1 AND c.account_id = $2 AND c.begun_by = $3
         AND c.finished_at IS NULL AND c.expires_at > now()
       RETURNING c.consent_id AS "consentId", c.account_id AS "accountId", c.connector, c.destination_id AS "destinationId",
         c.redirect_uri AS "redirectUri", before.sealed`,
      [hashOf(word), accountId, begunBy],
    ),
  )
  if (!row) throw wordUnknown()
  return row
}

const wordUnknown = () =>
  new AppError(
    'NOT_FOUND',
    'This word is unknown, was used, or has had its time, or another session began the sign-in. Begin again.',
  )

/** @returns settings as they are to be kept, whose refresh token may have been rotated by the first call. */
async function signIn(
  parts: ConnectParts,
  { accountId, connector: name, redirectUri }: TakenConsent,
  { settings, verifier, code }: SealedConsent & { readonly code: string },
  signal: AbortSignal,
) {
  const connector = findConnector(parts.connectors, name)
  // What nobody has verified yet slows down this customer alone.
  const remoteAccount = `${accountId}/${name}:sign-in`
  const gate = createLimiter(parts.db, { remoteAccount, callsPerSecond: connector.callsPerSecond })
  const request = { settings, app: appOf(parts, name), redirectUri }
  let values = await webConnectOf(parts.connectors, name).redeem(request, code, verifier, { gate, signal })
  const renewSettings: RenewSettings = async (spend) => {
    const { granted, changed } = await spend(values)
    values = { ...values, ...changed }
    return granted
  }
  const session = connector.open(connector.readSettings(values), { gate, signal, renewSettings })
  const remote = await session.identify()
  return { values, remote }
}
