/**
 * Begins a sign-in at a CRM's own page, for a new destination or to renew an existing one's credentials, and returns
 * the address at which a person gives consent. Makes no call to the CRM. Each call begins another sign-in, and each
 * expires on its own; beyond the limit per account the oldest ends.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { holdQuotaAccount } from '../../limits/quota-account.ts'
import { sealingKey } from '../../secrets/canary.ts'
import { seal } from '../../secrets/seal.ts'
import { type DeliveryTerms, readTerms } from '../destinations/delivery-terms.ts'
import { nameTaken, readName } from '../destinations/destination-name.ts'
import { type KeptTerms, readDestination, readSettings } from '../destinations/open-destination.ts'
import {
  appOf,
  type ConnectParts,
  callbackPath,
  consentMinutes,
  consentsMax,
  consentUse,
  hashOf,
  webConnectOf,
} from './connect-parts.ts'

export interface NewConsent {
  readonly accountId: string
  /** The only session that may finish it. */
  readonly begunBy: string
  /** Only for a new destination. */
  readonly connector?: string | undefined
  readonly name?: string | undefined
  readonly terms: DeliveryTerms
  /** Only for an existing destination whose credentials are renewed. */
  readonly destinationId?: string | undefined
  /** Settings other than credentials. */
  readonly settings?: unknown
}

export interface BegunConsent {
  readonly authorize_url: string
  readonly expires_at: string
}

interface Target {
  readonly connector: string
  readonly destinationId: string | null
  readonly name: string | null
  readonly terms: KeptTerms | null
  readonly settings: unknown
}

/** @throws AppError CONNECT_UNAVAILABLE, DESTINATION_INVALID, NOT_FOUND, CONFLICT (the name is in use). */
export async function beginConsent(parts: ConnectParts, consent: NewConsent): Promise<BegunConsent> {
  const { publicUrl } = parts.connect
  if (publicUrl === undefined) {
    const how = 'the operator sets PANJI_PUBLIC_URL, or you paste credentials'
    throw new AppError(
      'CONNECT_UNAVAILABLE',
      `This Panji does not know its own address, so no CRM can send you back: ${how}`,
    )
  }
  const { accountId, begunBy } = consent
  if (!isUuid(accountId)) throw new AppError('NOT_FOUND', `There is no account ${accountId}.`)
  const target =
    consent.destinationId === undefined ? await newTarget(parts, consent) : await knownTarget(parts, consent)
  const { connector, destinationId, ...kept } = target
  const redirectUri = `${publicUrl}${callbackPath}`
  const [state, verifier] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  const request = { settings: kept.settings, app: appOf(parts, connector), redirectUri }
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const address = webConnectOf(parts.connectors, connector).consentAddress(request, state, challenge)
  const consentId = randomUUID()
  const [row] = await parts.db.transaction(async (tx) => {
    await holdQuotaAccount(tx, accountId)
    await tx.execute(
      `DELETE FROM deliver.consent WHERE consent_id IN (
         SELECT consent_id FROM deliver.consent WHERE account_id = $1 ORDER BY expires_at DESC, consent_id OFFSET $2)`,
      [accountId, consentsMax - 1],
    )
    const key = await sealingKey(tx, parts.secretKey)
    const sealed = seal(JSON.stringify({ ...kept, verifier }), consentUse({ consentId, accountId }), key)
    return tx.query<{ expiresAt: Date }>(
      `INSERT INTO deliver.consent (consent_id, account_id, begun_by, connector, destination_id, redirect_uri, state_sha256,
         sealed, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(mins => $9)) RETURNING expires_at AS "expiresAt"`,
      [consentId, accountId, begunBy, connector, destinationId, redirectUri, hashOf(state), sealed, consentMinutes],
    )
  })
  if (!row) throw new Error('the insert of a consent returned no row')
  return { authorize_url: address, expires_at: row.expiresAt.toISOString() }
}

async function newTarget({ db }: ConnectParts, consent: NewConsent): Promise<Target> {
  if (consent.connector === undefined || consent.name === undefined) {
    throw new AppError(
      'DESTINATION_INVALID',
      'Name the type and the name of a new destination, or the destination_id of one',
    )
  }
  const name = readName(consent.name)
  const terms = readTerms(consent.terms)
  // An early answer only: a name that is taken before the sign-in ends is caught at the end.
  const [existing] = await db.query(
    `SELECT FROM deliver.destination WHERE account_id = $1 AND name = $2 AND status <> 'removed'`,
    [consent.accountId, name],
  )
  if (existing) throw nameTaken(name)
  return { connector: consent.connector, destinationId: null, name, terms, settings: consent.settings ?? {} }
}

/** Settings other than the credentials are kept unless new values are given. */
async function knownTarget(parts: ConnectParts, consent: NewConsent): Promise<Target> {
  const { connector, name, terms } = consent
  if ([connector, name, ...Object.values(terms)].some((each) => each !== undefined)) {
    throw new AppError('DESTINATION_INVALID', 'A renewal takes destination_id and settings alone')
  }
  const row = await readDestination(parts.db, consent.destinationId ?? '', consent.accountId)
  const lasting = webConnectOf(parts.connectors, row.connector).lasting(readSettings(parts, row).values)
  const settings = { ...lasting, ...(consent.settings as object | undefined) }
  return { connector: row.connector, destinationId: row.destinationId, name: null, terms: null, settings }
}
