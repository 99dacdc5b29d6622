/** The users of the org who may own leads, page by page, and the profile of the signed-in user. */
import { readAs } from '../answers.ts'
import { answerIfAllowed } from '../call-result.ts'
import type { CrmField } from '../contract.ts'
import type { Owner } from '../owner-list.ts'
import type { ZohoClient } from './client.ts'
import { refusedCall } from './outcomes.ts'
import { UserList } from './replies.ts'

/** Types whose values are ids of other records or users. */
export const referenceTypes: ReadonlySet<string> = new Set(['ownerlookup', 'userlookup', 'lookup'])
const personTypes = new Set(['ownerlookup', 'userlookup'])
export const isOwnerField = ({ type }: CrmField): boolean => personTypes.has(type)

const pageMax = 200

/** @returns null if the app has no access. */
export async function listUsers(client: ZohoClient): Promise<readonly Owner[] | null> {
  const users: Owner[] = []
  for (let page = 1; ; page += 1) {
    const list = await ask(client, `type=ActiveUsers&page=${page}&per_page=${pageMax}`)
    if (list === null) return null
    users.push(...list.users.map(({ id, email }) => ({ id, names: email === null ? [] : [email] })))
    if (!list.info.more_records) return users
  }
}

/** @returns null if the app has no access. */
export async function profileOfUser(client: ZohoClient): Promise<string | null> {
  const list = await ask(client, 'type=CurrentUser')
  return list?.users[0]?.profile?.name ?? null
}

const nobody: UserList = { users: [], info: { more_records: false } }

async function ask(client: ZohoClient, query: string): Promise<UserList | null> {
  const result = await client.call({ method: 'GET', path: `/users?${query}` })
  const answer = answerIfAllowed(result, 'Zoho (its users)')
  if (answer === null) return null
  if (answer.status === 204) return nobody
  if (answer.status >= 300) throw refusedCall('list the users', answer.status, answer.body)
  return readAs(UserList, answer.body, "Zoho's list of users")
}
