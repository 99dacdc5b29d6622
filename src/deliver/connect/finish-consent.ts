/**
 * Finishes a sign-in at a CRM's own page with the word that the browser received, and creates or renews the
 * destination. The CRM names the account before anything is stored, and the credentials are stored sealed. A word is
 * accepted once; if a later step fails, the sign-in has to begin again.
 */
import type { RenewSettings } from '../../../connectors/renew-settings.ts'
import { AppError } from '../../errors.ts'
import type { DestinationView } from '../destinations/destination-view.ts'
import { showDestination } from '../destinations/destination-view.ts'
import { addDestination, updateDestination } from '../destinations/destinations.ts'
import { findConnector, readDestination } from '../destinations/open-destination.ts'
import { replacesAccount } from '../destinations/replaced-account.ts'
import { verifyAccount } from '../destinations/verify-account.ts'
import { createLimiter } from '../lease/limiter.ts'
import { appOf, type ConnectParts, hashOf, openConsent, type SealedConsent, webConnectOf } from './connect-parts.ts'

export interface ConsentWord {
  readonly accountId: string
  /** Must equal the `begunBy` with which the sign-in began. */
  readonly begunBy: string
  readonly word: string
}

interface ClaimedConsent {
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
  const claimed = await claimConsent(parts, given)
  const opened = openConsent(claimed.sealed, claimed, secretKey)
  if (opened?.code === undefined) throw wordUnknown()
  const { values, remote } = await signIn(parts, claimed, { ...opened, code: opened.code }, signal)
  const { accountId, connector, destinationId } = claimed
  if (destinationId !== null) {
    const row = await readDestination(db, destinationId, accountId)
    if (row.verifiedAccount !== remote.account && !(await replacesAccount(parts, row, remote))) {
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

/** An unknown word, another account's and another session's get the same answer, so that none can be probed. */
async function claimConsent({ db }: ConnectParts, { accountId, begunBy, word }: ConsentWord): Promise<ClaimedConsent> {
  const [row] = await db.transaction((tx) =>
    tx.query<ClaimedConsent>(
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
  new AppError('NOT_FOUND', 'The sign-in is unknown, finished or expired, or another session began it. Begin again.')

/** @returns the settings to store; the first call may have rotated their refresh token. */
async function signIn(
  parts: ConnectParts,
  { accountId, connector: name, redirectUri }: ClaimedConsent,
  { settings, verifier, code }: SealedConsent & { readonly code: string },
  signal: AbortSignal,
) {
  const connector = findConnector(parts.connectors, name)
  // The account is not verified yet, so its rate limiter is this customer's own and slows down no one else.
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
