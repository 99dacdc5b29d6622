/** The users of the org: first the signed-in one; one has left. */
import type { WireAnswer } from '../kit.ts'
import type { Org, OrgRecord } from './state.ts'

interface User {
  readonly id: string
  readonly full_name: string
  readonly last_name: string
  readonly email: string
  readonly status: 'active' | 'deleted'
}

const user = (number: number, name: string, status: User['status'] = 'active'): User => ({
  id: `41508680000002250${number}`,
  ...{ full_name: `${name} Sandbox`, last_name: 'Sandbox', email: `${name.toLowerCase()}@sandbox.example.com`, status },
})

const self = user(13, 'Asha')
const users = [self, user(14, 'Ravi'), user(15, 'Meera', 'deleted')]
const pageMax = 200

/** @param parameters `type`, `page` and `per_page`. */
export function listUsers(org: Org, parameters: URLSearchParams): WireAnswer {
  const type = parameters.get('type') ?? 'AllUsers'
  const matching = users.filter((each) => {
    if (type === 'CurrentUser') return each === self
    return type === 'AllUsers' || each.status === 'active'
  })
  const size = Math.min(Number(parameters.get('per_page') ?? pageMax), pageMax)
  const page = Number(parameters.get('page') ?? 1)
  const some = matching.slice((page - 1) * size, page * size)
  if (some.length === 0) return { status: 204 }
  const info = { per_page: size, count: some.length, page, more_records: matching.length > page * size }
  return { status: 200, body: { users: some.map((each) => ({ ...each, profile: profileOf(org, each) })), info } }
}

const profileOf = ({ sharing }: Org, { id }: User) =>
  id === self.id && sharing !== 'Edit'
    ? { name: 'Standard', id: '4150868000000026014' }
    : { name: 'Administrator', id: '4150868000000026011' }

export const isActive = (id: unknown): boolean => users.some((each) => each.id === id && each.status === 'active')

/** The creator, unless another owner was given. */
export const ownerOf = ({ values }: OrgRecord): string => String(values['Owner'] ?? self.id)

/** The form in which records show it. */
export function shownOwner(record: OrgRecord): Readonly<Record<string, string>> {
  const id = ownerOf(record)
  const { full_name: name = '', email = '' } = users.find((each) => each.id === id) ?? {}
  return { name, id, email }
}

export const maySee = ({ sharing }: Org, record: OrgRecord): boolean =>
  sharing !== 'None' || ownerOf(record) === self.id

export const mayChange = ({ sharing }: Org, record: OrgRecord): boolean =>
  sharing === 'Edit' || ownerOf(record) === self.id
