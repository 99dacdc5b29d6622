import { z } from 'zod'
import { listPeople } from '../../../access/people.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { examplePerson, Person, stateOf } from './team-schemas.ts'

const Team = z
  .object({
    data: z.array(Person),
    mails_invitations: z.boolean().describe('Without it an operator hands out the links of invitations and sign-ins'),
  })
  .meta({ id: 'Team' })

export default operation({
  id: 'listTeam',
  method: 'GET',
  path: '/api/team',
  tag: 'Account',
  summary: 'The people of your account',
  description: 'With their roles, and those who were invited and have not joined yet.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: Team },
  example: { data: [examplePerson], mails_invitations: true },
  handle:
    ({ db, settings }) =>
    async (request) => ({
      data: (await listPeople(db, principalOf(request).accountId)).map(stateOf),
      mails_invitations: settings.signInLinks === true,
    }),
})
