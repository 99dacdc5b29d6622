import { z } from 'zod'
import { removeOwnFactor } from '../../../access/person-factor.ts'
import { operation } from '../../operation.ts'
import { actorOf } from '../sessions/listed-session.ts'
import { personOf, totpOrRecovery } from './factor-schemas.ts'

export default operation({
  id: 'removeSecondFactor',
  method: 'DELETE',
  path: '/api/second-factor',
  summary: 'Remove your second factor',
  description: 'With a code of it. Where your account requires one, you must add another before anything else.',
  caller: { scopes: [] },
  audit: 'act',
  errors: ['CONFLICT', 'NOT_FOUND', 'UNPROCESSABLE', 'LOGIN_THROTTLED', 'SECRET_KEY_WRONG'],
  body: z.strictObject({ totp: totpOrRecovery }).meta({ examples: [{ totp: '123456' }] }),
  reply: { 200: z.object({ removed: z.literal(true) }) },
  example: { removed: true },
  handle: async ({ db, delivery }, request, principal) => {
    const { personId } = personOf(principal)
    const { actor } = actorOf(principal)
    const wish = { personId, actor, accountId: principal.accountId, code: request.body.totp }
    await removeOwnFactor(db, delivery.secretKey, wish)
    return { removed: true as const }
  },
})
