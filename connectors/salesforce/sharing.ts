/**
 * Whether the user may change records that other people own, which no describe tells: where an org shares them for reading or not at
 * all, a record of somebody else's is looked at; where there is none to look at, it is said plainly. Writes nothing.
 */
import { privateRecords } from './administrator.ts'
import type { SalesforceClient } from './client.ts'
import type { SalesforceObject } from './question.ts'

/** Whoever sees them may change them. */
const open = new Set(['Edit', 'ReadEditTransfer', 'All', 'ReadEdit'])

/** @returns what an administrator has to do; empty where nothing is. */
export async function sharingAdvice(client: SalesforceClient, object: SalesforceObject): Promise<readonly string[]> {
  const [org] = (await client.ask(`SELECT Id, Default${object}Access FROM Organization`)) ?? []
  const access = org?.[`Default${object}Access`]
  // Those of a contact's account hold, which are asked for with the accounts.
  if (typeof access !== 'string' || open.has(access) || access === 'ControlledByParent') return []
  const { userId } = await client.organization()
  if (userId === undefined) return []
  const [other] = (await client.ask(`SELECT Id FROM ${object} WHERE OwnerId != '${userId}' LIMIT 1`)) ?? []
  if (other === undefined) return [privateRecords(object, 'none of them is there to try it on')]
  const question = `SELECT RecordId, HasEditAccess FROM UserRecordAccess WHERE UserId = '${userId}' AND RecordId = '${other.Id}'`
  const [right] = (await client.ask(question)) ?? []
  return right?.['HasEditAccess'] === true ? [] : [privateRecords(object, `tried on ${other.Id}`)]
}
