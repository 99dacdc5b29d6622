import { z } from 'zod'
import { getAccount } from '../../../access/accounts.ts'
import { listPeople } from '../../../access/people.ts'
import { operation } from '../../operation.ts'
import { UserPath } from '../accounts/account-schemas.ts'
import { examplePerson, Person, stateOf } from '../team/team-schemas.ts'

export default operation({
  id: 'listAccountPeople',
  method: 'GET',
  path: '/admin/users/:id/people',
  summary: 'List the people of an account',
  description: 'With their roles, including people who were invited and have not joined yet.',
  caller: { role: 'viewer' },
  audit: { reads: 'accounts' },
  params: UserPath,
  reply: { 200: z.object({ data: z.array(Person) }) },
  example: { data: [examplePerson] },
  handle: async ({ db }, { params: { id } }) => {
    const { accountId } = await getAccount(db, id)
    return { data: (await listPeople(db, accountId)).map(stateOf) }
  },
})
