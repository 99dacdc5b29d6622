/** SOQL queries for records by the values of one field. */

/** Objects that the connector reads and writes. */
export type SalesforceObject = 'Lead' | 'Account' | 'Contact'
/** Also those that it only creates. */
export type MadeObject = SalesforceObject | 'CampaignMember'
/** Also those that it only queries. */
export type ReadObject = SalesforceObject | 'Opportunity'

/** The query for records whose key is one of these. */
export function questionFor(
  object: ReadObject,
  keyField: string,
  keys: readonly string[],
  fields: readonly string[],
): string {
  const columns = [...new Set(['Id', keyField, ...fields])].join(', ')
  return `SELECT ${columns} FROM ${object} WHERE ${keyField} IN (${listOfLiterals(keys)})`
}

/** Quotes and backslashes are the characters that can end a literal. */
export const listOfLiterals = (texts: readonly string[]): string =>
  texts.map((text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(', ')
