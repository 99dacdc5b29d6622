/** Instructions for the administrator of an org: the exact menus and boxes to tick. Pure. */

/** All that a destination needs. */
export const neededScopes = [
  ...['ZohoCRM.modules.leads.ALL', 'ZohoCRM.settings.fields.ALL', 'ZohoCRM.org.READ', 'ZohoCRM.coql.READ'],
  ...['ZohoCRM.users.READ', 'ZohoCRM.settings.tags.READ'],
] as const

/** For each call: its scope, and the permission in the user's profile. */
const calls: readonly (readonly [RegExp, string, string])[] = [
  [/^\w+ \/coql/, 'ZohoCRM.coql.READ', 'Module Permissions > Leads: View'],
  [/^POST \/Leads/, 'ZohoCRM.modules.leads.CREATE', 'Module Permissions > Leads: Create'],
  [/^PUT \/Leads/, 'ZohoCRM.modules.leads.UPDATE', 'Module Permissions > Leads: Edit'],
  [/^DELETE \/Leads/, 'ZohoCRM.modules.leads.DELETE', 'Module Permissions > Leads: Delete'],
  [/^GET \/users/, 'ZohoCRM.users.READ', 'Setup Permissions > Users and Control: Manage Users'],
  [/^GET \/org/, 'ZohoCRM.org.READ', 'Setup Permissions > General Settings: Manage Company Details'],
  [/^GET \/settings\/tags/, 'ZohoCRM.settings.tags.READ', 'Module Permissions > Leads: View'],
  [/^GET \/settings\/fields/, 'ZohoCRM.settings.fields.READ', 'Module Permissions > Leads: View'],
  [
    /^POST \/settings\/fields/,
    'ZohoCRM.settings.fields.CREATE',
    'Setup Permissions > Customization: Modules Customization',
  ],
]

const profileMenu = 'Setup > Users and Control > Security Control > Profiles > the profile of this user'

/** @param act method and path. @param code of the refusal. @param permissions named by Zoho. */
export function permit(act: string, code: string, permissions: readonly string[] = []): string {
  const [, scope, checkbox] = calls.find(([pattern]) => pattern.test(act)) ?? []
  if (code === 'OAUTH_SCOPE_MISMATCH')
    return `the app was not given the scope ${scope ?? 'of this call'}. What to do: ${renewSignIn}.`
  const named = permissions.length > 0 ? ` (${permissions.join(', ')})` : ''
  return `the user may not do this${named}. What to do: ${profileMenu} > Developer Permissions: Zoho CRM API Access${checkbox === undefined ? '' : `; ${checkbox}`}, Save.`
}

/** Advice after a refused sign-in. */
export const renewSignIn = `sign in anew with \`panji destination connect --renew\`, or at api-console.zoho (of your data centre) > the client > Generate Code with the scopes ${neededScopes.join(', ')}, and put client, secret and the refresh token that comes of it into the settings`

const fieldMenu = 'Setup > Customization > Modules and Fields > Leads > Fields'
export const createFieldMenu = 'Setup > Customization > Modules and Fields > Leads > the layout: drag a new field in'

export const allowNoDuplicates = (label: string): string =>
  `Mark the field "${label}" of Leads as one that allows no duplicate values: ${fieldMenu} > ${label} > Edit Properties, tick Do not allow duplicate values, Save.`

export const restoreIdentity = (label: string, fault: string): string =>
  `The field "${label}" of Leads ${fault}: ${fieldMenu} > ${label} > Edit Properties, make it a single line of 80 characters again that allows no duplicate values, Save.`

const namesMenu = 'Setup > Developer Hub > APIs and SDKs > API Names > Leads'

/** @param names label, the org's API name now, and Panji's. */
export const renameFields = (names: readonly (readonly [label: string, now: string, wanted: string])[]): string =>
  `Give ${names.map(([label, now, wanted]) => `the field "${label}" (now ${now}) the API name ${wanted}`).join(', ')} again: ${namesMenu} > the field > Edit.`

export const letWrite = (labels: readonly string[]): string =>
  `Let the profile of this user read and write ${labels.length === 1 ? 'the field' : 'the fields'} ${labels.map((label) => `"${label}"`).join(', ')} of Leads: ${fieldMenu} > ${labels.length === 1 ? labels.join() : 'the field'} > Edit Permission, choose Read and Write for the profile, Done.`

export const makeRoom =
  'Setup > Data Administration > Storage shows what is used up: delete records and empty the recycle bin, or take a larger edition under Setup > General > Company Details > Subscription'

export const whenCreditsAreUsedUp =
  'all programs of the org share them (Setup > Developer Hub > APIs and SDKs > Dashboard). Panji continues automatically as they come back. Where you bought more, resume the destination'

export const showModule =
  'What to do: show the module Leads again under Setup > Customization > Modules and Fields > Organize Modules, and to the profile of this user under Setup > Users and Control > Security Control > Profiles > Module Permissions; the edition of the org must have it. A module that was renamed keeps its API name: where somebody changed that, too, give it the API name Leads again under Setup > Developer Hub > APIs and SDKs > API Names. Deliveries continue then.'

/** @param words Zoho's message. */
export const lockedLead = (words: string): string =>
  `${words || 'the record is locked'}: it waits for an approval, or somebody locked it, and nobody changes it until that is decided. Panji tries again automatically. What to do: Approve or Reject it on its page in Zoho, or unlock it there.`

const sharingMenu = 'Setup > Users and Control > Security Control > Data Sharing Settings > Leads'

/** For a single lead. @param words Zoho's message. */
export const othersLead = (words: string): string =>
  `${words || 'permission denied'}: the lead has another owner, and this user may only read it. What to do: ${sharingMenu}: Public Read/Write/Delete, or a sharing rule for this user.`

/** @param profile of the user; no permission shows what the org shares with it. */
export const privateLeads = (profile: string): string =>
  `This user has the profile ${profile}: of leads that other people own it changes those alone that the org shares with it for writing (${sharingMenu}); a user with the profile Administrator changes all.`

/** @param reason in Zoho's words. */
export const notTagged = (tag: string, reason: string): string =>
  `written, but not tagged ${tag} (${reason}). What to do: name a tag of Leads that is there in the mapping, take tags from leads that have the most the edition allows, and send the lead again`

export const usersByEmail = `The app may not ask for the users of the org, so a mapping names owners by their ids: for e-mail addresses, sign in anew with the scope ZohoCRM.users.READ.`

export const required = (name: string, label: string): string =>
  `Leads.${name} (${label}) is mandatory and no lead fills it: ${fieldMenu} > ${label} > Edit Properties, untick Required, Save, also in the layout where it is marked as required (Leads > Layouts); or give it a value in this destination's mapping, ${name}.`
