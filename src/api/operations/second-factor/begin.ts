import { z } from 'zod'
import { beginPersonFactor } from '../../../access/person-factor.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { principalOf } from '../../route-context.ts'
import { personOf } from './factor-schemas.ts'

const Begun = z
  .object({
    secret: z.string().describe('For who types it, in base32; shown only now'),
    url: z.string().describe('For the authenticator, as a link or QR code'),
  })
  .meta({ id: 'BegunSecondFactor' })

export default operation({
  id: 'beginSecondFactor',
  method: 'POST',
  path: '/api/second-factor',
  tag: 'Account',
  summary: 'Begin your second factor',
  description:
    'A secret for your authenticator. It counts once a code of it is confirmed; begun again it has another secret.',
  caller: { scopes: [] },
  audit: 'act',
  beforeFactor: true,
  errors: ['CONFLICT'],
  body: noBody,
  reply: { 201: Begun },
  example: { secret: 'JBSWY3DPEHPK3PXP…', url: 'otpauth://totp/Panji:asha%40example.com?secret=…&issuer=Panji' },
  handle:
    ({ db, delivery }) =>
    async (request) => {
      const person = personOf(principalOf(request))
      return db.transaction((tx) => beginPersonFactor(tx, delivery.secretKey, person))
    },
})
