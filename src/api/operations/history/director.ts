import { z } from 'zod'
import { dinFrom } from '../../../registry/identifier-input.ts'
import { operation } from '../../operation.ts'
import { description, din, historyFacts, PageQuery, readPage, response } from './history-schemas.ts'

export default operation({
  id: 'getDirectorHistory',
  ...historyFacts,
  path: '/api/company/director-history',
  summary: 'History of one director',
  description,
  query: z.object({ din, ...PageQuery.shape }),
  reply: response,
  example: {
    data: [
      {
        entity: 'director',
        identifier: '00000057',
        kind: 'update',
        as_of: '2026-11-21',
        run_id: 7,
        undone_by: null,
        source: 'mca-directors',
        file: 'mca-directors.csv',
        sha256: '08cd9f5156b33cba21393810ef6f017955b9119bfb0f43d0e88e190fa76d46ec',
        line: 2,
        changed_at: '2026-11-21T04:39:16.170Z',
        changes: [{ field: 'DINStatus', before: 'Approved', after: 'Deactivated' }],
      },
    ],
    total: 1,
    page: 1,
    limit: 10,
    retained_from: null,
    rate_limit: {
      remaining: 992,
      limit: 1000,
      reset: '2026-11-24T00:00:00.000Z',
    },
  },
  handle: async ({ db }, { query, limitState }) =>
    readPage(db, { entity: 'director', identifier: dinFrom(query.din) }, query, limitState),
})
