import { z } from 'zod'
import { listPeople } from '../../../access/people.ts'
import { isFactorRequired } from '../../../access/team-rules.ts'
import { operation } from '../../operation.ts'
import { examplePerson, Person, stateOf } from './team-schemas.ts'

const Team = z
  .object({
    data: z.array(Person),
    second_factor_required: z.boolean().describe('Required for everybody who signs in with a browser'),
    mails_invitations: z.boolean().describe('If false, an operator hands out the links of invitations and sign-ins'),
  })
  .meta({ id: 'Team' })

export default operation({
  id: 'listTeam',
  method: 'GET',
  path: '/api/team',
  summary: 'List the people of your account',
  description: 'With their roles, including people who were invited and have not joined yet.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: Team },
  example: { data: [examplePerson], second_factor_required: false, mails_invitations: true },
  handle: async ({ db, settings }, _request, { accountId }) => ({
    data: (await listPeople(db, accountId)).map(stateOf),
    second_factor_required: await isFactorRequired(db, accountId),
    mails_invitations: settings.signInLinks === true,
  }),
})
