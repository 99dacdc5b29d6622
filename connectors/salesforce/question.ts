/** Questions in SOQL, for records that are named by the values of one field. */

/** Objects that the connector reads and writes. */
export type SalesforceObject = 'Lead' | 'Account' | 'Contact'
/** And those that it only makes. */
export type MadeObject = SalesforceObject | 'CampaignMember'
/** And those that it only asks about. */
export type ReadObject = SalesforceObject | 'Opportunity'

/** The question for the records whose key is one of these. */
export function questionFor(
  object: ReadObject,
  keyField: string,
  keys: readonly string[],
  fields: readonly string[],
): string {
  const columns = [...new Set(['Id', keyField, ...fields])].join(', ')
  return `SELECT ${columns} FROM ${object} WHERE ${keyField} IN (${listOfLiterals(keys)})`
}

/** Quotes and backslashes are the two that end a literal. */
export const listOfLiterals = (texts: readonly string[]): string =>
  texts.map((text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(', ')
