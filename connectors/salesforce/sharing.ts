/**
 * Whether the user may change records that other users own, which no describe shows: if the org's sharing is
 * read-only or private, the access to another user's record is checked; if there is none to check, the advice is
 * given anyway. Writes nothing.
 */
import { privateRecords } from './administrator.ts'
import type { SalesforceClient } from './client.ts'
import type { SalesforceObject } from './question.ts'

/** Sharing settings under which every user who sees a record may change it. */
const open = new Set(['Edit', 'ReadEditTransfer', 'All', 'ReadEdit'])

/** @returns what an administrator has to do; empty if nothing. */
export async function sharingAdvice(client: SalesforceClient, object: SalesforceObject): Promise<readonly string[]> {
  const [org] = (await client.ask(`SELECT Id, Default${object}Access FROM Organization`)) ?? []
  const access = org?.[`Default${object}Access`]
  // A Contact controlled by its parent follows the Account, which is checked separately.
  if (typeof access !== 'string' || open.has(access) || access === 'ControlledByParent') return []
  const { userId } = await client.organization()
  if (userId === undefined) return []
  const [other] = (await client.ask(`SELECT Id FROM ${object} WHERE OwnerId != '${userId}' LIMIT 1`)) ?? []
  if (other === undefined) return [privateRecords(object, 'none of them is there to try it on')]
  const question = `SELECT RecordId, HasEditAccess FROM UserRecordAccess WHERE UserId = '${userId}' AND RecordId = '${other.Id}'`
  const [right] = (await client.ask(question)) ?? []
  return right?.['HasEditAccess'] === true ? [] : [privateRecords(object, `tried on ${other.Id}`)]
}
