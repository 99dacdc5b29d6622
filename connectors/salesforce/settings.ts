/**
 * The settings of one Salesforce org: how to sign in, and how leads are stored in it. Faults name their member and
 * never repeat a value.
 */
import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import { leadColumns } from '../../config/lead-columns.ts'
import { faultWords } from '../../src/domain/fault-words.ts'
import { AppError } from '../../src/errors.ts'
import { type ConnectorSettings, ownerships } from '../contract.ts'
import { type CrmHosts, faultOfAddress } from '../crm-address.ts'
import { OnDeleted } from '../known-records.ts'
import { ListValues } from '../listed-value.ts'
import { MatchOn } from '../match-rules.ts'
import { faultsOf } from '../settings-file.ts'

const columnNames = new Set(Object.values(leadColumns).flatMap((columns) => columns.map(({ name }) => name)))

const common = {
  /** `https://login.salesforce.com`, `https://test.salesforce.com` or the org's My Domain. */
  login_url: z.string(),
  /** Only in settings that a sandbox issued. */
  sandbox_pass: z.string().optional(),
  /** Consumer key of the connected or external client app. */
  client_id: z.string().min(1),
  external_id_field: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]*__c$/, 'must be the API name of a custom field, like Panji_Id__c')
    .default('Panji_Id__c'),
  /**
   * What a lead becomes: a Lead; or Accounts with a Contact for companies and GST registrations, and Contacts for
   * directors.
   */
  object: z.enum(['lead', 'account']).default('lead'),
  /** Lead assignment rules route leads and send mail; the org would run its default rule if no header were sent. */
  assignment_rule: z
    .union([z.enum(['off', 'default']), z.string().regex(/^01Q[A-Za-z0-9]{12}([A-Za-z0-9]{3})?$/)])
    .default('off'),
  /** `off` saves although a duplicate rule warns; a rule that blocks still blocks. */
  duplicate_rules: z.enum(['off', 'on']).default('off'),
  /** How existing records are matched; see `connectors/adoption.ts`. */
  match_on: MatchOn.optional(),
  /** What happens to a lead whose record was deleted; see `connectors/known-records.ts`. */
  on_deleted: OnDeleted,
  /**
   * Field owners by API name, prefixed with the object if `object` is `account` (`Account.Phone`); default
   * `if_unchanged`.
   */
  ownership: z.record(z.string(), z.enum(ownerships)).default({}),
  /** Value of the register → value of a restricted list; see `connectors/listed-value.ts`. */
  list_values: ListValues,
  /** Lead column → API name of a field; other columns go into the Description. */
  custom_fields: z
    .record(
      z.string().refine((name) => columnNames.has(name), 'is not a lead column'),
      z.string().regex(/^[A-Za-z]\w*$/),
    )
    .default({}),
  /** `on` fills the fields of `managed-fields.ts` if the org has them; set-up creates them. */
  managed_fields: z.enum(['on', 'off']).default('on'),
  /** Number of due leads from which they are sent as a job of Bulk API 2.0; `off`: never. */
  bulk_from: z.union([z.number().int().min(1), z.literal('off')]).default(2_001),
  /** Longest wait for one reply. */
  timeout_ms: z.number().int().min(100).max(600_000).default(60_000),
}

const SettingsSchema = z.discriminatedUnion('auth', [
  z.strictObject({
    ...common,
    auth: z.literal('jwt'),
    username: z.string().min(1),
    private_key: z.string().refine(isPrivateKey, 'must be a private key in PEM form'),
    /** Audience of the assertion; default: that of the org's kind, production or sandbox. */
    audience: z.string().min(1).optional(),
  }),
  z.strictObject({ ...common, auth: z.literal('client_credentials'), client_secret: z.string().min(1) }),
  z.strictObject({
    ...common,
    auth: z.literal('refresh_token'),
    refresh_token: z.string().min(1),
    client_secret: z.string().min(1).optional(),
  }),
])

export type SalesforceSettings = z.infer<typeof SettingsSchema>

/** Sign-in services for users of every org; an app that signs in as itself uses its own org's domain. */
const loginServices: ReadonlySet<string> = new Set(['login.salesforce.com', 'test.salesforce.com'])

/** The vendor's hosts, in all forms in which an org is addressed. */
export const salesforceHosts: CrmHosts = {
  crm: 'Salesforce',
  isVendorHost: (hostname) => /\.(salesforce|force|cloudforce)\.com$/.test(hostname),
}

/** @throws AppError DESTINATION_INVALID naming each fault. */
export function readSettings(input: unknown): ConnectorSettings {
  const values = parseSettings(input)
  const user = values.auth === 'jwt' ? values.username : values.client_id
  return {
    remoteAccount: `salesforce:${new URL(values.login_url).host}/${user}`,
    values,
    secretNames: ['private_key', 'client_secret', 'refresh_token', 'sandbox_pass'].filter((name) => name in values),
  }
}

export function parseSettings(input: unknown): SalesforceSettings {
  const parsed = SettingsSchema.safeParse(input, { error: faultWords })
  const found = faultsOf(parsed.error)
  if (parsed.success) {
    const { login_url: address, sandbox_pass: pass } = parsed.data
    const fault = faultOfAddress(salesforceHosts, address, pass)
    if (fault !== null) found.push(`login_url: ${fault}`)
    const hostname = fault === null ? new URL(address).hostname : ''
    if (parsed.data.auth === 'client_credentials' && loginServices.has(hostname))
      found.push(
        `login_url: ${hostname} takes no client credentials; name the org's My Domain, https://yours.my.salesforce.com, from Setup > My Domain > Current My Domain URL`,
      )
    if (found.length === 0) return parsed.data
  }
  throw new AppError('DESTINATION_INVALID', `The Salesforce settings have faults: ${found.join('; ')}.`, {
    extra: { faults: found },
  })
}

function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}
