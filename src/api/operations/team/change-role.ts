import { z } from 'zod'
import { changeRole } from '../../../access/manage-people.ts'
import { operation } from '../../operation.ts'
import { actorOf } from '../sessions/listed-session.ts'
import { examplePerson, Person, PersonPath, Role, stateOf } from './team-schemas.ts'

export default operation({
  id: 'changeRole',
  method: 'PATCH',
  path: '/api/team/:person_id',
  summary: "Change a person's role",
  description:
    'It applies from their next call on. The last admin cannot be changed. A key cannot change anybody whose rights exceed its own, before or after.',
  caller: { scopes: ['keys'] },
  audit: 'act',
  errors: ['CONFLICT'],
  params: PersonPath,
  body: z.strictObject({ role: Role }).meta({ examples: [{ role: 'viewer' }] }),
  reply: { 200: Person },
  example: { ...examplePerson, role: 'viewer' },
  handle: async ({ db }, request, principal) => {
    const { actor, scopes } = actorOf(principal)
    const { role } = request.body
    const wanted = { personId: request.params.person_id, role, actor, scopes, changedBy: principal.person }
    return stateOf(await db.transaction((tx) => changeRole(tx, principal.accountId, wanted)))
  },
})
