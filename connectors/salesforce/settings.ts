/**
 * The settings of one Salesforce org: how to sign in, and how leads are laid into it. What a person wrote goes in, checked
 * settings come out; every fault is named and no value is repeated.
 */
import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import { leadColumns } from '../../config/lead-columns.ts'
import { AppError } from '../../src/errors.ts'
import type { ConnectorSettings } from '../contract.ts'

export const ownerships = ['always', 'if_empty', 'if_unchanged'] as const
export type Ownership = (typeof ownerships)[number]

const columnNames = new Set(Object.values(leadColumns).flatMap((columns) => columns.map(({ name }) => name)))

const common = {
  /** `https://login.salesforce.com`, `https://test.salesforce.com` or the org's My Domain. */
  loginUrl: z.string().refine(isCrmAddress, 'must be https on a host of Salesforce, or a sandbox on this machine'),
  /** Consumer key of the connected or external client app. */
  clientId: z.string().min(1),
  externalIdField: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]*__c$/, 'must be the API name of a custom field, like Panji_Id__c')
    .default('Panji_Id__c'),
  /** Lead assignment rules route leads and send mail; the org would run its default rule if we said nothing. */
  assignmentRule: z
    .union([z.enum(['off', 'default']), z.string().regex(/^01Q[A-Za-z0-9]{12}([A-Za-z0-9]{3})?$/)])
    .default('off'),
  /** `off` saves although a duplicate rule warns; a rule that blocks still blocks. */
  duplicateRules: z.enum(['off', 'on']).default('off'),
  /** Who owns a field, by its API name; `if_unchanged` where nothing is said. */
  ownership: z.record(z.string(), z.enum(ownerships)).default({}),
  /** Lead column → API name of a field; other columns lie in the Description. */
  customFields: z
    .record(
      z.string().refine((name) => columnNames.has(name), 'is no lead column'),
      z.string().regex(/^[A-Za-z]\w*$/),
    )
    .default({}),
  /** Longest wait for one answer. */
  timeoutMs: z.number().int().min(100).max(600_000).default(60_000),
}

const SettingsSchema = z.discriminatedUnion('auth', [
  z.strictObject({
    ...common,
    auth: z.literal('jwt'),
    username: z.string().min(1),
    privateKey: z.string().refine(isPrivateKey, 'must be a private key in PEM form'),
    /** Audience of the assertion; the login address where nothing is said. */
    audience: z.string().min(1).optional(),
  }),
  z.strictObject({ ...common, auth: z.literal('client_credentials'), clientSecret: z.string().min(1) }),
  z.strictObject({
    ...common,
    auth: z.literal('refresh_token'),
    refreshToken: z.string().min(1),
    clientSecret: z.string().min(1).optional(),
  }),
])

export type SalesforceSettings = z.infer<typeof SettingsSchema>

/** @throws AppError DESTINATION_INVALID naming each fault. */
export function readSalesforceSettings(input: unknown): ConnectorSettings {
  const values = parseSettings(input)
  const user = values.auth === 'jwt' ? values.username : values.clientId
  return {
    remoteAccount: `salesforce:${new URL(values.loginUrl).host}/${user}`,
    values,
    secretNames: ['privateKey', 'clientSecret', 'refreshToken'].filter((name) => name in values),
  }
}

export function parseSettings(input: unknown): SalesforceSettings {
  const parsed = SettingsSchema.safeParse(input)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'settings'}: ${issue.message}`)
  throw new AppError('DESTINATION_INVALID', `The Salesforce settings have faults: ${faults.join('; ')}`)
}

/**
 * Credentials and leads go to Salesforce alone, whatever the settings or a sign-in reply say; plain HTTP only to
 * this machine, where a sandbox runs.
 */
export function isCrmAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return false
  if (/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)) return /^https?:$/.test(url.protocol)
  return url.protocol === 'https:' && url.port === '' && /\.(salesforce|force|cloudforce)\.com$/.test(url.hostname)
}

function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}
