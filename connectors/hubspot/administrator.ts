/** Instructions for the administrator of an account: the exact menus and boxes to tick. Pure. */
import type { CrmField } from '../contract.ts'
import { type CrmObject, groupName, idProperty, propertiesOf, takesItsColumn } from './mapping.ts'

const plurals: Readonly<Record<CrmObject, string>> = { companies: 'Company', contacts: 'Contact' }

/** All that a destination needs. */
export const neededScopes: readonly string[] = ['objects', 'schemas'].flatMap((kind) =>
  ['companies', 'contacts'].flatMap((object) => ['read', 'write'].map((act) => `crm.${kind}.${object}.${act}`)),
)

/** @param scopes named by HubSpot, or its own message. */
export function grantScopes(scopes: string, isPrivateApp: boolean): string {
  const how = isPrivateApp
    ? 'Settings > Integrations > Private Apps (Development > Legacy Apps in newer accounts) > the app > Edit app > Scopes: tick them, Commit changes; the token stays the same'
    : 'add them to the app (its Auth page, Scopes), and sign in anew with `panji destination connect --renew`'
  return `The app lacks permissions: ${scopes}. What to do: ${how}.`
}

export const makeRoom =
  'Settings > Account Management > Account & Billing > Usage & Limits shows what is used up: delete records, or take a larger subscription'

export const whenCallsAreUsedUp =
  'all private apps of the account share them until midnight in its time zone (Settings > Account Management > Usage & Limits). Panji continues automatically then. Where you bought more, resume the destination'

/** How to create archived properties again. */
export const testAgain = 'test the destination (`panji destination test`), which makes what is missing'

/** A recently archived property can be restored with the values of its records. */
export const restoreOrTest = `restore it with its values (Settings > Properties > Archived properties > Restore) or ${testAgain}`

/** Advice after a refused sign-in. */
export const renewToken = (isPrivateApp: boolean): string =>
  isPrivateApp
    ? 'Settings > Integrations > Private Apps (Development > Legacy Apps in newer accounts) > the app > Auth: copy the access token into the settings of this destination'
    : 'sign in anew with `panji destination connect --renew`, once for each destination: one refresh token does not serve two where HubSpot gives it out anew with each use'

const propertyMenu = (object: CrmObject) => `Settings > Properties > ${plurals[object]} properties`

export function createProperties(object: CrmObject, names: readonly string[], reason: string): string {
  const unique = names.includes(idProperty) ? ` (${idProperty} as single-line text with unique values)` : ''
  return `Create in ${object}, group ${groupName}, the properties ${names.join(', ')}${unique}: ${propertyMenu(object)} > Create property; or let the app do it: ${sentenceOf(reason)}`
}

export const createGroup = (object: CrmObject, reason: string): string =>
  `Create the property group ${groupName} of ${object}: ${propertyMenu(object)} > Groups > Create group; or let the app do it: ${sentenceOf(reason)}`

export const deleteNotUnique = (object: CrmObject): string =>
  `Delete the property ${idProperty} of ${object} (${propertyMenu(object)} > ${idProperty} > Archive) and test the destination again: it does not require unique values, and HubSpot cannot change that later.`

/** @param fault why the property cannot hold external ids. */
export const restoreIdentity = (object: CrmObject, fault: string): string =>
  `${object}.${idProperty} ${fault}: ${propertyMenu(object)} > ${idProperty} > Edit > Field type: Single-line text, and let apps edit its values; or archive it and test the destination again, which makes it anew and gives each record its identity back.`

/** No API shows this setting. */
export const companyAutomation =
  'Where Settings > Objects > Companies > "Create and associate companies with contacts" is ticked, HubSpot makes a company of its own from the e-mail domain of each director, beside the one that Panji delivers: untick it, or exclude the domains there.'

export const ownersByEmail =
  'The app may not ask for the owners of the account, so a mapping names them by their ids: for e-mail addresses, tick crm.objects.owners.read among the scopes of the app.'

/** For a list that HubSpot fills by filters. */
export const activeList = (name: string): string =>
  `"${name}" is an active list, whose members HubSpot picks by its filters: name a static list, or save a static copy under CRM > Segments (Lists)`

/** @param reason in HubSpot's words. */
export const listGone = (list: string, reason: string): string =>
  `written, but not added to the list ${list}: ${sentenceOf(reason)} What to do: name a static list of this account in the mapping, and send the lead again`

/** A reason may already be a sentence. */
const sentenceOf = (reason: string): string => (reason.endsWith('.') ? reason : `${reason}.`)

/** HubSpot's own properties that accept less than leads have. @param fields as `describe` names them. */
export function propertyAdvice(
  object: CrmObject,
  fields: readonly (CrmField & { readonly isReadOnly: boolean })[],
): string[] {
  const filled = propertiesOf(object)
  return fields.flatMap((field) => {
    const { name, label, type, allowed, isReadOnly } = field
    const property = filled.get(name.slice(object.length + 1))
    if (property === undefined || property.name === idProperty) return []
    if (isReadOnly) return [`${name} (${label}) takes no values of an app, so leads go in without it.`]
    if (!takesItsColumn(field))
      return [
        `${name} (${label}) is of the type ${type}, and Panji has a ${property.type} for it, so leads go in without it: make it a ${property.fieldType} again under ${propertyMenu(object)} > ${label} > Edit > Field type.`,
      ]
    if (allowed === null) return []
    return [
      `${name} (${label}) takes the ${allowed.length} options of its list alone; another one is left out: add what is missing under ${propertyMenu(object)} > ${label} > Field options, or say in list_values which option is meant.`,
    ]
  })
}
