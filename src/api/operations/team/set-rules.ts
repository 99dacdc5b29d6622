import { z } from 'zod'
import { requireFactorOfAll } from '../../../access/team-rules.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { actorOf } from '../sessions/listed-session.ts'

const Rules = z.object({ second_factor_required: z.boolean() }).meta({ id: 'TeamRules' })

export default operation({
  id: 'setTeamRules',
  method: 'PUT',
  path: '/api/team/rules',
  tag: 'Account',
  summary: 'Ask a second factor of everybody who signs in',
  description:
    'Who has none adds one before anything else, from the next call on. API keys are not asked. A key sets it only with every scope, as admins have.',
  caller: { scopes: ['keys'] },
  audit: 'act',
  errors: ['CONFLICT'],
  body: z
    .strictObject({ second_factor_required: z.boolean().describe('Of everybody who signs in with a browser') })
    .meta({ examples: [{ second_factor_required: false }] }),
  reply: { 200: Rules },
  example: { second_factor_required: false },
  handle:
    ({ db }) =>
    async (request) => {
      const { accountId, person } = principalOf(request)
      const { actor, scopes } = actorOf(principalOf(request))
      const { second_factor_required: required } = request.body
      const rule = { required, personId: person?.personId ?? null, actor, scopes }
      await db.transaction((tx) => requireFactorOfAll(tx, accountId, rule))
      return { second_factor_required: required }
    },
})
