import { z } from 'zod'
import { lookUpSac } from '../../../registry/reference.ts'
import { operation } from '../../operation.ts'
import { description, lookup, repliesWith, requireSearch } from './reference-schemas.ts'

const Sac = z.object({ code: z.string(), description: z.string() }).meta({ id: 'SacCode' })

export default operation({
  id: 'listSacCodes',
  method: 'GET',
  path: '/api/reference/sac',
  tag: 'Reference',
  summary: 'Look up SAC codes of services',
  description,
  caller: { scopes: ['read'] },
  audit: 'nothing',
  seesAll: true,
  etag: true,
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
