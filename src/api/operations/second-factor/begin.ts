import { z } from 'zod'
import { beginPersonFactor } from '../../../access/person-factor.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { personOf } from './factor-schemas.ts'

const Begun = z
  .object({
    secret: z.string().describe('For manual entry, in base32; shown only now'),
    url: z.string().describe('For the authenticator, as a link or QR code'),
  })
  .meta({ id: 'BegunSecondFactor' })

export default operation({
  id: 'beginSecondFactor',
  method: 'POST',
  path: '/api/second-factor',
  summary: 'Start setting up your second factor',
  description:
    'Returns a secret for your authenticator. It takes effect once a code is confirmed; starting again returns another secret.',
  caller: { scopes: [] },
  audit: 'act',
  beforeFactor: true,
  errors: ['CONFLICT'],
  body: noBody,
  reply: { 201: Begun },
  example: { secret: 'JBSWY3DPEHPK3PXP…', url: 'otpauth://totp/Panji:asha%40example.com?secret=…&issuer=Panji' },
  handle: async ({ db, delivery }, _request, principal) => {
    const person = personOf(principal)
    return db.transaction((tx) => beginPersonFactor(tx, delivery.secretKey, person))
  },
})
