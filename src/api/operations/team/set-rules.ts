import { z } from 'zod'
import { requireFactorOfAll } from '../../../access/team-rules.ts'
import { operation } from '../../operation.ts'
import { actorOf } from '../sessions/listed-session.ts'

const Rules = z.object({ second_factor_required: z.boolean() }).meta({ id: 'TeamRules' })

export default operation({
  id: 'setTeamRules',
  method: 'PUT',
  path: '/api/team/rules',
  summary: 'Require a second factor of everybody who signs in',
  description:
    'A person without one must add one before anything else, from the next call on. API keys are not affected. A key needs every scope to set it, as admins have.',
  caller: { scopes: ['keys'] },
  audit: 'act',
  errors: ['CONFLICT'],
  body: z
    .strictObject({
      second_factor_required: z.boolean().describe('Required for everybody who signs in with a browser'),
    })
    .meta({ examples: [{ second_factor_required: false }] }),
  reply: { 200: Rules },
  example: { second_factor_required: false },
  handle: async ({ db }, request, principal) => {
    const { accountId, person } = principal
    const { actor, scopes } = actorOf(principal)
    const { second_factor_required: required } = request.body
    const rule = { required, personId: person?.personId ?? null, actor, scopes }
    await db.transaction((tx) => requireFactorOfAll(tx, accountId, rule))
    return { second_factor_required: required }
  },
})
