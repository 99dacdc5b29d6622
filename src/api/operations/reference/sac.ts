import { z } from 'zod'
import { lookUpSac } from '../../../registry/reference.ts'
import { operation } from '../../operation.ts'
import { description, lookup, referenceFacts, repliesWith, requireSearch } from './reference-schemas.ts'

const Sac = z.object({ code: z.string(), description: z.string() }).meta({ id: 'SacCode' })

export default operation({
  id: 'listSacCodes',
  ...referenceFacts,
  path: '/api/reference/sac',
  summary: 'Look up SAC codes of services',
  description,
  query: z.object(lookup('9983', 'services')),
  reply: repliesWith(Sac),
  example: {
    data: [
      {
        code: '998313',
        description: 'Information technology consulting',
      },
    ],
  },
  handle: async ({ db }, request) => ({ data: await lookUpSac(db, requireSearch(request.query)) }),
})
