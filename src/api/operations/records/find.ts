import { z } from 'zod'
import { entityTypes } from '../../../domain/identity.ts'
import { browseNames } from '../../../registry/names/browse.ts'
import { exampleRecords } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { paging, wording } from '../../parameters.ts'

const NamedRecord = z
  .object({
    identifier: z.string().describe('CIN, LLPIN, DIN or GSTIN'),
    name: z.string(),
    state: z.string().nullable(),
    status: z.string().nullable(),
  })
  .meta({ id: 'NamedRecord' })

export default operation({
  id: 'findRecords',
  method: 'GET',
  path: '/admin/records',
  summary: 'Find records of a register by name',
  description:
    'Names with that prefix first, then names that contain the words, then similar names. Closed records are found only by their identifier.',
  caller: { role: 'viewer' },
  audit: { reads: 'filters' },
  errors: ['QUERY_TOO_EXPENSIVE'],
  query: z.object({
    register: z.enum(entityTypes).meta({ description: 'Which one', examples: ['company'] }),
    name: wording(200)
      .describe('Full or partial name, or an identifier')
      .meta({ examples: [exampleRecords.companyName] }),
    ...paging(100),
  }),
  reply: { 200: z.object({ data: z.array(NamedRecord).readonly(), total: z.number() }) },
  example: {
    data: [{ identifier: 'AAC-3965', name: 'MANDOVI PARTNERS LLP', state: 'Goa', status: 'Active' }],
    total: 1,
  },
  handle: async ({ db }, { query: { register: entity, ...filter } }) => {
    const { results, total } = await browseNames(db, { entity, ...filter })
    return { data: results, total }
  },
})
