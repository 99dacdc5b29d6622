import { z } from 'zod'
import { listSuppressions, suppressionSorts } from '../../../access/suppressions.ts'
import { suppressionKinds } from '../../../domain/objection.ts'
import { operation } from '../../operation.ts'
import { paging, sorting } from '../../parameters.ts'
import { Entry } from './suppression-schemas.ts'

export default operation({
  id: 'listSuppressions',
  method: 'GET',
  path: '/admin/suppressions',
  summary: 'List the suppression list',
  description: 'People who object, as keyed hashes that identify no one. Newest first unless sorted.',
  caller: { role: 'viewer' },
  audit: { reads: 'accounts' },
  query: z.object({
    kind: z.enum(suppressionKinds).optional().describe('Only entries of this kind'),
    ...sorting(suppressionSorts),
    ...paging(100),
  }),
  reply: {
    200: z.object({
      data: z.array(Entry),
      total: z.number().describe('Entries on all pages'),
      page: z.number(),
      limit: z.number(),
    }),
  },
  example: {
    data: [
      {
        id: '55c7ae2e-7f45-4d8f-a242-666b5f8e003a',
        kind: 'email',
        reason: 'asked by letter',
        reference: 'OBJ-17',
        created_by: 'operator:default',
        created_at: '2026-11-23T17:06:39.198Z',
      },
    ],
    total: 1,
    page: 1,
    limit: 10,
  },
  handle: async ({ db }, { query: { kind, page, limit, sort } }) => ({
    ...(await listSuppressions(db, { kind, page, limit, sort })),
    page,
    limit,
  }),
})
