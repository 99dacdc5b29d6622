import { z } from 'zod'
import { lookUpHsn } from '../../../registry/reference.ts'
import { operation } from '../../operation.ts'
import { description, lookup, referenceFacts, repliesWith, requireSearch } from './reference-schemas.ts'

const Hsn = z
  .object({
    code: z.string(),
    description: z.string(),
    chapter: z.number(),
    section: z.string().nullable().describe('Section in Roman numerals'),
  })
  .meta({ id: 'HsnCode' })

export default operation({
  id: 'listHsnCodes',
  ...referenceFacts,
  path: '/api/reference/hsn',
  summary: 'Look up HSN codes of goods',
  description,
  query: z.object(lookup('0902', 'tea')),
  reply: repliesWith(Hsn),
  example: {
    data: [
      {
        code: '0902',
        description: 'Tea, whether or not flavoured',
        chapter: 9,
        section: 'II',
      },
    ],
  },
  handle: async ({ db }, request) => ({ data: await lookUpHsn(db, requireSearch(request.query)) }),
})
