/** SOQL queries for records by the values of one field. */

/** Objects that the connector reads and writes. */
export type SalesforceObject = 'Lead' | 'Account' | 'Contact'
/** Also those that it only creates. */
export type MadeObject = SalesforceObject | 'CampaignMember'
/** Also those that it only queries. */
export type ReadObject = SalesforceObject | 'Opportunity'

/** The query for records whose key is one of these. @param where further conditions, all of which they meet. */
export function questionFor(
  object: ReadObject,
  keyField: string,
  keys: readonly string[],
  fields: readonly string[],
  where: readonly string[] = [],
): string {
  const columns = [...new Set(['Id', keyField, ...fields])].join(', ')
  const conditions = [`${keyField} IN (${listOfLiterals(keys)})`, ...where].join(' AND ')
  return `SELECT ${columns} FROM ${object} WHERE ${conditions}`
}

/** Quotes and backslashes are the characters that can end a literal. */
export const listOfLiterals = (texts: readonly string[]): string =>
  texts.map((text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(', ')
