import { z } from 'zod'
import { removePerson } from '../../../access/manage-people.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { actorOf } from '../sessions/listed-session.ts'
import { PersonPath } from './team-schemas.ts'

export default operation({
  id: 'removePerson',
  method: 'DELETE',
  path: '/api/team/:person_id',
  summary: 'Remove a person from your account',
  description:
    'Their sessions and links end at once. API keys that they created belong to the account and keep working. The last admin cannot be removed. A key cannot remove anybody whose rights exceed ' +
    'itself.',
  caller: { scopes: ['keys'] },
  audit: 'act',
  errors: ['CONFLICT'],
  params: PersonPath,
  reply: { 200: z.object({ person_id: uuid('ID of the person'), removed: z.literal(true) }) },
  example: { person_id: exampleIds.person, removed: true },
  handle: async ({ db }, request, principal) => {
    const { actor, scopes } = actorOf(principal)
    const { personId } = await db.transaction((tx) =>
      removePerson(tx, principal.accountId, request.params.person_id, { actor, scopes }),
    )
    return { person_id: personId, removed: true as const }
  },
})
