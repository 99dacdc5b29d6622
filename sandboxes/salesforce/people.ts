/** The users of the sandbox org and its queue: who may own which record, and how the org refuses others. */

/** The signed-in user. */
export const username = 'sandbox@panji.example'
export const userId = '005000000000001AAA'

export interface OrgPerson {
  readonly id: string
  readonly name: string
  readonly username: string
  readonly email: string
  readonly isActive: boolean
}

const person = (n: number, name: string, mailbox = name.toLowerCase(), isActive = true): OrgPerson => ({
  id: `0050000000000${10 + n}AAA`,
  ...{ name, isActive, username: `${name.toLowerCase()}@goa-sales.example`, email: `${mailbox}@sandbox.example.com` },
})

export const people: readonly OrgPerson[] = [
  { id: userId, name: 'Sandbox', username, email: username, isActive: true },
  person(1, 'Asha'),
  person(2, 'Ravi'),
  person(3, 'Meera', 'meera', false),
  // An e-mail address shared by two users, which an org allows.
  person(4, 'Counter', 'sales'),
  person(5, 'Desk', 'sales'),
]

/** Can only own Leads. */
export const queue = { id: '00G000000000001AAA', name: 'Goa desk', developerName: 'Goa_Desk' }

/** The 18-character form of an Id given in 15 characters. */
export const wholeId = (id: string): string => [...people, queue].find((each) => each.id.slice(0, 15) === id)?.id ?? id

/** @returns why the record cannot be assigned to this owner; null if it can. */
export function faultOfOwner(
  object: string,
  id: string,
): { readonly statusCode: string; readonly message: string } | null {
  if (id === queue.id && object !== 'Lead')
    return { statusCode: 'MALFORMED_ID', message: `Owner ID: id value of incorrect type: ${id}` }
  const owner = people.find((each) => each.id === id)
  if (owner === undefined && id !== queue.id)
    return { statusCode: 'INVALID_CROSS_REFERENCE_KEY', message: 'invalid cross reference id' }
  if (owner?.isActive === false) {
    const message = `Operation performed with inactive user [${id.slice(0, 15)}] as owner of ${object}`
    return { statusCode: 'INACTIVE_OWNER_OR_USER', message }
  }
  return null
}
