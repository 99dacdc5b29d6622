/**
 * What signing in at a CRM's own page needs in addition to `DeliveryParts`, and the sealed half of a pending sign-in.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Connector, OAuthApp, WebConnect } from '../../../connectors/contract.ts'
import type { Secret } from '../../domain/secret.ts'
import { AppError } from '../../errors.ts'
import { unseal } from '../../secrets/seal.ts'
import { consentColumn } from '../../secrets/sealed-columns.ts'
import { keeps } from '../destinations/keep.ts'
import type { DeliveryParts } from '../destinations/open-destination.ts'
import { findConnector } from '../destinations/open-destination.ts'

/** The operator's own apps at the vendors. */
export interface ConnectSettings {
  /** Origin under which browsers reach this Panji, `https://panji.example.in`. */
  readonly publicUrl: string | undefined
  readonly apps: readonly { readonly connector: string; readonly clientId: string; readonly clientSecret: Secret }[]
}

export const noConnectSettings: ConnectSettings = { publicUrl: undefined, apps: [] }

export interface ConnectParts extends DeliveryParts {
  readonly connect: ConnectSettings
}

/** Minutes until a sign-in expires; vendors' codes live about as long. */
export const consentMinutes = 10
/** Per account, finished ones included: when one more is begun, the oldest ends. */
export const consentsMax = 20

/** The secrets are random, so a fast hash is enough. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

export const callbackPath = '/crm/oauth/callback'

/** Stands for the session of operators' commands, which have none. */
export const begunByCommand = 'command'

const Sealed = z.object({
  settings: z.unknown(),
  name: z.string().nullable(),
  terms: z
    .object({
      deliver: z.string(),
      customerShare: z.number(),
      batchSize: z.number().nullable(),
      hours: z.string().nullable(),
      pauseAtRejected: z.number().nullable(),
      // Defaults for sign-ins that an earlier version sealed without these members.
      keep: z.enum(keeps).default('delivered'),
      adoptFrom: z.number().nullable().default(null),
      askFrom: z.number().nullable().default(null),
    })
    .nullable(),
  verifier: z.string(),
  code: z.string().optional(),
})
export type SealedConsent = z.infer<typeof Sealed>

export interface ConsentOwner {
  readonly consentId: string
  readonly accountId: string
}

export const consentUse = ({ consentId, accountId }: ConsentOwner) => ({
  purpose: consentColumn.purpose,
  boundTo: `${consentId}|${accountId}`,
})

/** @returns undefined if it was sealed under a key that is no longer in use. */
export function openConsent(sealed: Buffer, owner: ConsentOwner, secretKey: Secret): SealedConsent | undefined {
  const text = unseal(sealed, consentUse(owner), secretKey)
  return text === undefined ? undefined : Sealed.parse(JSON.parse(text))
}

/** @throws AppError DESTINATION_INVALID if the connector has no consent page. */
export function webConnectOf(connectors: readonly Connector[], name: string): WebConnect {
  const { webConnect } = findConnector(connectors, name)
  if (webConnect) return webConnect
  throw new AppError('DESTINATION_INVALID', `${name} has no page to sign in at; give its settings instead`)
}

export function appOf({ connect }: ConnectParts, name: string): OAuthApp | null {
  const app = connect.apps.find(({ connector }) => connector === name)
  return app ? { clientId: app.clientId, clientSecret: app.clientSecret.reveal() } : null
}
