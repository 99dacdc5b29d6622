/**
 * Settings of a HubSpot destination: read from the operator's file, stored encrypted, read again when a session
 * opens. All faults are reported at once; no message repeats a value, because most values are secrets.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { faultWords } from '../../src/domain/fault-words.ts'
import { AppError } from '../../src/errors.ts'
import { type ConnectorSettings, ownerships } from '../contract.ts'
import { type CrmHosts, faultOfAddress } from '../crm-address.ts'
import { OnDeleted } from '../known-records.ts'
import { ListValues } from '../listed-value.ts'
import { MatchOn } from '../match-rules.ts'
import { faultsOf } from '../settings-file.ts'
import { mappedPropertyNames } from './mapping.ts'

/** The API's own hosts, of all regions. */
export const hubspotHosts: CrmHosts = {
  crm: 'HubSpot',
  isVendorHost: (hostname) => /^api(-[a-z]{2}\d{1,2})?\.hubapi\.com$/.test(hostname),
}
const vendorAddress = 'https://api.hubapi.com'

const word = z.string().trim().min(1)

const Shape = z.strictObject({
  /** Private app: the one credential. */
  access_token: word.optional(),
  /** OAuth app: all three are required. */
  client_id: word.optional(),
  client_secret: word.optional(),
  refresh_token: word.optional(),
  /** Identifies the account to the limiter, so that a customer's destinations into one account share its quota. */
  portal_id: z.union([z.string().regex(/^\d+$/, 'must be digits'), z.number().int().positive()]).optional(),
  base_url: z
    .string()
    .default(vendorAddress)
    .transform((url) => url.replace(/(?<!\/)\/+$/, '')),
  /** Only in settings that a sandbox issued. */
  sandbox_pass: z.string().optional(),
  timeout_ms: z.number().int().min(50).max(120_000).default(30_000),
  /** How existing records are matched; see `connectors/adoption.ts`. One unique property per rule. */
  match_on: MatchOn.refine(
    (rules) =>
      rules.every(
        (rule) => Object.keys(rule).length === 1 && /^(companies|contacts)\./.test(String(Object.keys(rule)[0])),
      ),
    'each rule must name one property whose values are unique, like contacts.email',
  ).optional(),
  /** What happens to a lead whose record was deleted; see `connectors/known-records.ts`. */
  on_deleted: OnDeleted,
  /** Value of the register → option of an enumeration; see `connectors/listed-value.ts`. */
  list_values: ListValues,
  /** HubSpot property → who owns its value. */
  ownership: z.record(z.string(), z.enum(ownerships)).default({}),
})

export type HubspotSettings = z.output<typeof Shape>

const oauthMembers = ['client_id', 'client_secret', 'refresh_token'] as const

/** @throws AppError DESTINATION_INVALID naming each fault. */
export function parseSettings(input: unknown): HubspotSettings {
  const parsed = Shape.safeParse(input, { error: faultWords })
  const faults = [...faultsOf(parsed.error), ...crossFaults(input)]
  if (!parsed.success || faults.length > 0)
    throw new AppError('DESTINATION_INVALID', `The HubSpot settings are wrong. ${faults.join('; ')}.`, {
      extra: { faults },
    })
  return parsed.data
}

/** Faults between members. Read from the raw input, so that they are reported together with those of single members. */
function crossFaults(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return []
  const members = new Map(Object.entries(input))
  const faults: string[] = []
  const given = oauthMembers.filter((name) => members.has(name))
  if (members.has('access_token') && given.length > 0)
    faults.push(`access_token: give either it or ${oauthMembers.join(', ')}, not both`)
  if (!members.has('access_token') && given.length === 0)
    faults.push(`access_token: missing (or ${oauthMembers.join(', ')} for an OAuth app)`)
  if (given.length > 0)
    for (const name of oauthMembers) if (!members.has(name)) faults.push(`${name}: required with ${given.join(', ')}`)
  const baseUrl: unknown = members.get('base_url')
  const pass: unknown = members.get('sandbox_pass')
  if (typeof baseUrl === 'string' || pass !== undefined) {
    const address = typeof baseUrl === 'string' ? baseUrl : vendorAddress
    const fault = faultOfAddress(hubspotHosts, address, typeof pass === 'string' ? pass : undefined)
    if (fault !== null) faults.push(`base_url: ${fault}`)
  }
  const ownership: unknown = members.get('ownership')
  if (typeof ownership === 'object' && ownership !== null)
    for (const name of Object.keys(ownership))
      if (!mappedPropertyNames.has(name)) faults.push(`ownership.${name}: no property that Panji fills`)
  return faults
}

export function readSettings(input: unknown): ConnectorSettings {
  const values = parseSettings(input)
  return {
    remoteAccount: `hubspot:${values.portal_id ?? fingerprint(values)}`,
    values,
    secretNames: ['access_token', 'client_secret', 'refresh_token', 'sandbox_pass'],
  }
}

/** Replaces the account's id if it is not given: the same credentials always give the same key. */
function fingerprint(values: HubspotSettings): string {
  const credentials = `${values.access_token ?? ''} ${values.client_id ?? ''} ${values.refresh_token ?? ''}`
  return createHash('sha256').update(credentials).digest('hex').slice(0, 16)
}
