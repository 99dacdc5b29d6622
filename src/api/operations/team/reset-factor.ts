import { z } from 'zod'
import { resetFactor } from '../../../access/manage-people.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { actorOf } from '../sessions/listed-session.ts'
import { PersonPath } from './team-schemas.ts'

export default operation({
  id: 'resetSecondFactor',
  method: 'DELETE',
  path: '/api/team/:person_id/second-factor',
  summary: "Reset a person's second factor",
  description:
    'For somebody else who lost it: from their next sign-in a link alone is enough, until they add another. Your own takes a code: DELETE /api/second-factor. Only a signed-in admin can do so, no API key.',
  caller: { scopes: ['keys'] },
  audit: 'act',
  errors: ['CONFLICT'],
  params: PersonPath,
  reply: { 200: z.object({ person_id: uuid('ID of the person'), removed: z.literal(true) }) },
  example: { person_id: exampleIds.person, removed: true },
  handle: async ({ db }, request, principal) => {
    const { personId } = await db.transaction((tx) =>
      resetFactor(tx, principal.accountId, request.params.person_id, actorOf(principal)),
    )
    return { person_id: personId, removed: true as const }
  },
})
