/** The people of the org who may own leads, in pages, and which profile the signed-in one has. */
import { AppError } from '../../src/errors.ts'
import type { CrmField } from '../contract.ts'
import type { Owner } from '../owner-list.ts'
import type { ZohoClient } from './client.ts'
import { refusedCall } from './outcomes.ts'
import { UserList } from './replies.ts'

export const usersScope = 'ZohoCRM.users.READ'

/** Whose values are ids of other records, or of people. */
export const referenceTypes: ReadonlySet<string> = new Set(['ownerlookup', 'userlookup', 'lookup'])
const personTypes = new Set(['ownerlookup', 'userlookup'])
export const isOwnerField = ({ type }: CrmField): boolean => personTypes.has(type)

const pageMax = 200

/** @returns null where the app may not ask. */
export async function listUsers(client: ZohoClient): Promise<readonly Owner[] | null> {
  const users: Owner[] = []
  for (let page = 1; ; page += 1) {
    const list = await ask(client, `type=ActiveUsers&page=${page}&per_page=${pageMax}`)
    if (list === null) return null
    users.push(...list.users.map(({ id, email }) => ({ id, names: email === null ? [] : [email] })))
    if (!list.info.more_records) return users
  }
}

/** @returns null where the app may not ask. */
export async function profileOfUser(client: ZohoClient): Promise<string | null> {
  const list = await ask(client, 'type=CurrentUser')
  return list?.users[0]?.profile?.name ?? null
}

const nobody: UserList = { users: [], info: { more_records: false } }

async function ask(client: ZohoClient, query: string): Promise<UserList | null> {
  const result = await client.call({ method: 'GET', path: `/users?${query}` })
  if (result.kind === 'refused' && result.error.code === 'CRM_UNAUTHORIZED') return null
  if (result.kind === 'refused') throw result.error
  if (result.kind === 'cut') throw unreadable(result.message)
  if (result.status === 204) return nobody
  if (result.status >= 300) throw refusedCall('list the users', result.status, result.body)
  const list = UserList.safeParse(result.body).data
  if (list === undefined) throw unreadable('the list could not be read')
  return list
}

const unreadable = (message: string): AppError =>
  new AppError('CRM_UNAVAILABLE', `Zoho did not tell its users: ${message}`, { retry: 'later' })
