import { z } from 'zod'
import { lookUpNic } from '../../../registry/reference.ts'
import { operation } from '../../operation.ts'
import { description, lookup, referenceFacts, repliesWith, requireSearch } from './reference-schemas.ts'

const Nic = z
  .object({
    code: z.number().describe('The digits as a number: 01110 is 1110'),
    description: z.string(),
    section: z.string().nullable(),
    division: z.number().nullable(),
    vintage: z.number().describe('Edition of the classification: 2004 or 2008'),
  })
  .meta({ id: 'NicCode' })

export default operation({
  id: 'listNicCodes',
  ...referenceFacts,
  path: '/api/reference/nic',
  summary: 'Look up NIC codes of activities',
  description: `${description} The 2008 edition unless vintage says 2004.`,
  query: z.object({
    ...lookup('0111', 'growing'),
    vintage: z.enum(['2004', '2008']).default('2008').describe('Edition of the classification'),
  }),
  reply: repliesWith(Nic),
  example: {
    data: [
      {
        code: 1111,
        description: 'Growing of wheat',
        section: 'A',
        division: 1,
        vintage: 2008,
      },
    ],
  },
  handle: async ({ db }, request) => {
    const vintage = request.query.vintage === '2004' ? 2004 : 2008
    return { data: await lookUpNic(db, { ...requireSearch(request.query), vintage }) }
  },
})
