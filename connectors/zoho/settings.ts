/**
 * Settings of a Zoho destination: read from the operator's file, stored encrypted, read again when a session opens.
 * All faults are reported at once; no message repeats a value, because most values are secrets.
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

const dataCentres = ['com', 'eu', 'in', 'com.au', 'com.cn', 'jp', 'sa', 'uk']
const accountsHosts = new Set([...dataCentres.map((centre) => `accounts.zoho.${centre}`), 'accounts.zohocloud.ca'])
/** `www` for production; sandboxes and developer orgs have hosts of their own. */
const apiHosts = new Set(
  ['www', 'sandbox', 'developer'].flatMap((kind) =>
    [...dataCentres, 'ca'].map((centre) => `${kind}.zohoapis.${centre}`),
  ),
)

export const zohoHosts: CrmHosts = {
  crm: 'Zoho',
  isVendorHost: (hostname) => accountsHosts.has(hostname) || apiHosts.has(hostname),
}

const word = z.string().trim().min(1)

const Shape = z.strictObject({
  /**
   * The sign-in server of the account's data centre: `https://accounts.zoho.in`, `.com`, `.eu`, … Zoho returns the
   * API's host.
   */
  accounts_url: z.string().transform((url) => url.replace(/(?<!\/)\/+$/, '')),
  client_id: word,
  client_secret: word,
  refresh_token: word,
  /** Only in settings that a sandbox issued. */
  sandbox_pass: z.string().optional(),
  /** `on` runs the org's workflows, approvals and blueprints for what is written. */
  triggers: z.enum(['off', 'on']).default('off'),
  /** `on` applies the org's validation and layout rules, which Zoho skips for programs unless they ask for them. */
  rules: z.enum(['off', 'on']).default('off'),
  /** `on` fills the fields of `managed-fields.ts` if the org has them; set-up creates them. */
  managed_fields: z.enum(['on', 'off']).default('on'),
  /** How existing records are matched; see `connectors/adoption.ts`. */
  match_on: MatchOn.optional(),
  /** What happens to a lead whose record was deleted; see `connectors/known-records.ts`. */
  on_deleted: OnDeleted,
  /** Value of the register → value of a picklist; see `connectors/listed-value.ts`. */
  list_values: ListValues,
  /** Field owners by API name; default `if_unchanged`. */
  ownership: z.record(z.string().regex(/^[A-Za-z]\w*$/), z.enum(ownerships)).default({}),
  /** Credits of the org per day. Zoho reports what is left, but not the total. */
  daily_credits: z.int().positive().max(1_000_000_000).optional(),
  /** Longest wait for one reply. */
  timeout_ms: z.int().min(50).max(120_000).default(60_000),
})

export type ZohoSettings = z.output<typeof Shape>

/** @throws AppError DESTINATION_INVALID naming each fault. */
export function parseSettings(input: unknown): ZohoSettings {
  const parsed = Shape.safeParse(input, { error: faultWords })
  const faults = [...faultsOf(parsed.error)]
  if (parsed.success) {
    const { accounts_url: address, sandbox_pass: pass } = parsed.data
    const fault = faultOfAddress(zohoHosts, address, pass) ?? faultOfHost(address, pass)
    if (fault !== null) faults.push(`accounts_url: ${fault}`)
    if (faults.length === 0) return parsed.data
  }
  throw new AppError('DESTINATION_INVALID', `The Zoho settings are wrong. ${faults.join('; ')}.`, { extra: { faults } })
}

function faultOfHost(address: string, pass: string | undefined): string | null {
  if (pass !== undefined || accountsHosts.has(new URL(address).hostname)) return null
  return 'must be the accounts address of the data centre, like https://accounts.zoho.in'
}

export function readSettings(input: unknown): ConnectorSettings {
  const values = parseSettings(input)
  const { client_id: id, refresh_token: refresh } = values
  const key = createHash('sha256').update(`${id} ${refresh}`).digest('hex').slice(0, 16)
  return {
    remoteAccount: `zoho:${new URL(values.accounts_url).host}/${key}`,
    values,
    secretNames: ['client_secret', 'refresh_token', 'sandbox_pass'],
  }
}
