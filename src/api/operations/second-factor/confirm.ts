import { z } from 'zod'
import { confirmPersonFactor } from '../../../access/person-factor.ts'
import { operation } from '../../operation.ts'
import { actorOf } from '../sessions/listed-session.ts'
import { personOf, totp } from './factor-schemas.ts'

const Confirmed = z
  .object({
    recovery_codes: z.array(z.string()).describe('Each replaces a code of the authenticator once; shown only now'),
  })
  .meta({ id: 'ConfirmedSecondFactor' })

export default operation({
  id: 'confirmSecondFactor',
  method: 'POST',
  path: '/api/second-factor/confirm',
  summary: 'Confirm your second factor',
  description:
    'With a code of it. Confirming again, with another code, returns new recovery codes and invalidates the earlier ones.',
  caller: { scopes: [] },
  audit: 'act',
  beforeFactor: true,
  errors: ['CONFLICT', 'UNPROCESSABLE', 'LOGIN_THROTTLED', 'SECRET_KEY_WRONG'],
  body: z.strictObject({ totp }).meta({ examples: [{ totp: '123456' }] }),
  reply: { 200: Confirmed },
  example: { recovery_codes: ['k3xa-q7mv-2fdz-ptlc', '…'] },
  handle: async ({ db, delivery }, request, principal) => {
    const { personId } = personOf(principal)
    const { actor } = actorOf(principal)
    const wish = { personId, code: request.body.totp, actor }
    return { recovery_codes: [...(await confirmPersonFactor(db, delivery.secretKey, wish))] }
  },
})
