/** What an administrator has to do if an org refuses the app, a call or a row, step by step. Pure. */
import type { Refusal } from '../contract.ts'

const app = 'Setup > Apps > External Client Apps > External Client App Manager (or App Manager, for a connected app)'
const policies = `${app} > the app > Edit Policies`
const settings = `${app} > the app > Edit Settings`

/** By the message of a refused sign-in; the first match applies. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [
    /user hasn't approved|user is not admin approved|not authorized/i,
    `let the user in: ${policies} > OAuth Policies > Permitted Users: Admin approved users are pre-authorized, Save, then add the user's permission set or profile there`,
  ],
  [
    /no client credentials user|client credentials flow|run as/i,
    `${settings} > OAuth Settings: tick Enable Client Credentials Flow; then ${policies} > OAuth Flows > Client Credentials Flow: name the user under Run As`,
  ],
  [
    /invalid_client|client identifier invalid/i,
    `compare consumer key and secret: ${settings} > OAuth Settings > Consumer Key and Secret`,
  ],
  [
    /unsupported_grant_type|oauth_flow_disabled|flow is disabled/i,
    `${settings} > OAuth Settings > Flow Enablement: tick the flow of these settings`,
  ],
  [/ip restricted|ip range/i, `${policies} > OAuth Policies > IP Relaxation: Relax IP restrictions`],
  [
    /inactive user|user is inactive/i,
    'Setup > Users > Users > the user > Edit: tick Active, or name another user in the settings',
  ],
  [
    /app_blocked|is blocked|app_?not_?found|app_access_denied|approval_error|not installed/i,
    'let the app in: Setup > Apps > Connected Apps > Connected Apps OAuth Usage > the app: Unblock, or Install where it is not installed in this org',
  ],
  [
    /expired authorization code|token validity expired/i,
    'set the clock of the machine that Panji runs on: an assertion is good for three minutes of the time at Salesforce',
  ],
  [
    /audience is invalid/i,
    'take `audience` out of the settings, or name the login service of the org: https://login.salesforce.com, of a sandbox https://test.salesforce.com',
  ],
  [
    /assertion|invalid certificate|signature/i,
    `upload the certificate of the private key: ${settings} > OAuth Settings > Enable JWT Bearer Flow; the consumer key, the user and the audience are those of the settings`,
  ],
  [
    /expired|invalid_grant/i,
    'sign in at Salesforce anew with `panji destination connect --renew`, or put a refresh token into the settings that the app was given anew, another one for each destination: where the app rotates refresh tokens, one does not serve two',
  ],
]

/** Appended to the vendor's own message; empty if there is no known advice. */
export function afterRefusedSignIn(words: string): string {
  const found = refusals.find(([pattern]) => pattern.test(words))
  return found ? `. What to do: ${found[1]}.` : ''
}

/**
 * @param scope of the token reply, separated by spaces. @returns what is missing and where to add it; otherwise null.
 */
export function missingScope(scope: unknown): string | null {
  if (typeof scope !== 'string' || scope.trim() === '') return null
  const given = scope.split(/\s+/)
  if (given.includes('api') || given.includes('full')) return null
  return `The app was given ${given.join(', ')} and not the scope api: ${settings} > OAuth Settings > Selected OAuth Scopes: add Manage user data via APIs (api), Save, and sign in anew.`
}

const updatePanji = 'update Panji to a release that speaks a version of the API which the org still has'

/** By the code of a refused call. */
const calls: Readonly<Record<string, string>> = {
  UNSUPPORTED_API_VERSION: updatePanji,
  ERROR_HTTP_410: updatePanji,
  API_DISABLED_FOR_ORG:
    'Setup > Users > Permission Sets > Panji Delivery (or another set of this user) > System Permissions > Edit: tick API Enabled, Save; the edition of the org must have the API',
  API_CURRENTLY_DISABLED:
    'Setup > Users > Permission Sets > Panji Delivery (or another set of this user) > System Permissions > Edit: tick API Enabled, Save',
  INSUFFICIENT_ACCESS:
    'Setup > Users > Permission Sets > Panji Delivery (or another set of this user) > Object Settings: tick Read, Create and Edit of the object, Save, and assign the set under Manage Assignments',
}

/** Appended to the vendor's own message. */
export function afterRefusedCall(code: string): string {
  const advice = calls[code]
  return advice === undefined ? '' : `. What to do: ${advice}.`
}

const field = 'Setup > Object Manager > the object > Fields & Relationships > the field'
const set =
  'Setup > Users > Permission Sets > Panji Delivery (or another set of this user) > Object Settings > the object > Edit'

/**
 * By the code of a refused row: what an administrator changed, and where. A validation rule's own message does not
 * say where to find it.
 */
const rows: Readonly<Record<string, string>> = {
  FIELD_CUSTOM_VALIDATION_EXCEPTION:
    'fix the lead as the rule says, or let this user pass it (Setup > Object Manager > the object > Validation Rules), and try again',
  REQUIRED_FIELD_MISSING: `${field} > Edit: untick Required or set a Default Value; or give it a value in this destination's mapping`,
  DUPLICATES_DETECTED:
    'a duplicate rule blocks the lead: Setup > Duplicate Rules > the rule > Edit: Allow in place of Block, and leave duplicate_rules off; or name in match_on what the record that is there is known by',
  STRING_TOO_LONG: `${field} > Edit: make it longer again, or shorten the value of this lead`,
  INVALID_FIELD_FOR_INSERT_UPDATE: `${set}: tick Edit Access of the field under Field Permissions`,
  INSUFFICIENT_ACCESS_OR_READONLY: `${set}: tick View All Records and Modify All Records; a record that waits for an approval is unlocked by its approver`,
  INACTIVE_OWNER_OR_USER: "name an active owner in this destination's mapping, or assign the record to an active user",
}

/** @returns the vendor's own message with the advice. */
export function withRowAdvice({ code, field: named, message }: Refusal): string {
  const advice = rows[code]?.replaceAll('the field', named ?? 'the field')
  if (advice === undefined) return message
  const words = message.trimEnd()
  return `${words}${/[.?!]$/.test(words) ? '' : '.'} What to do: ${advice}.`
}

/** All programs of the org share the day's calls. */
export const whenCallsAreUsedUp =
  'The calls of 24 hours are used up (Setup > Company Settings > Company Information > API Requests, Last 24 Hours): Panji continues automatically as they come back. Where you bought more, resume the destination.'

/** @param code of the refusal. */
export function makeRoom(code: string): string {
  if (code === 'STORAGE_LIMIT_EXCEEDED')
    return 'Setup > Data > Storage Usage shows what takes the storage: delete some of it, or buy more'
  if (code === 'LIMIT_EXCEEDED' || code === 'EXCEEDED_QUOTA')
    return 'Setup > Environments > System Overview shows which limit of the org is used up: free some of it, or buy more'
  return 'Setup > Company Settings > Company Information shows the licences and when the edition ends: renew it, or buy more'
}
