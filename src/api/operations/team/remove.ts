import { z } from 'zod'
import { removePerson } from '../../../access/manage-people.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { actorOf } from '../sessions/listed-session.ts'
import { PersonPath } from './team-schemas.ts'

export default operation({
  id: 'removePerson',
  method: 'DELETE',
  path: '/api/team/:person_id',
  tag: 'Account',
  summary: 'Remove somebody from your account',
  description:
    'Their sessions and links end at once. API keys that they made belong to the account and go on. The last admin stays. A key removes nobody who may do more than ' +
    'itself.',
  caller: { scopes: ['keys'] },
  audit: 'act',
  errors: ['CONFLICT'],
  params: PersonPath,
  reply: { 200: z.object({ person_id: uuid('Of the person'), removed: z.literal(true) }) },
  example: { person_id: exampleIds.person, removed: true },
  handle:
    ({ db }) =>
    async (request) => {
      const { accountId } = principalOf(request)
      const { actor, scopes } = actorOf(principalOf(request))
      const { personId } = await db.transaction((tx) =>
        removePerson(tx, accountId, request.params.person_id, { actor, scopes }),
      )
      return { person_id: personId, removed: true as const }
    },
})
