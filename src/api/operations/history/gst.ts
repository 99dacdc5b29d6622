import { z } from 'zod'
import { gstinFrom } from '../../../registry/identifier-input.ts'
import { operation } from '../../operation.ts'
import { description, gstin, historyFacts, PageQuery, readPage, response } from './history-schemas.ts'

export default operation({
  id: 'getGstHistory',
  ...historyFacts,
  path: '/api/gst/history',
  summary: 'History of one GST registration',
  description,
  query: z.object({ gstin, ...PageQuery.omit({ include: true }).shape }),
  reply: response,
  example: {
    data: [
      {
        entity: 'gst',
        identifier: '27AAACR5055K1Z7',
        kind: 'update',
        as_of: '2026-11-21',
        run_id: 7,
        undone_by: null,
        source: 'gst-taxpayers',
        file: 'gst-taxpayers.csv',
        sha256: '08cd9f5156b33cba21393810ef6f017955b9119bfb0f43d0e88e190fa76d46ec',
        line: 2,
        changed_at: '2026-11-21T04:39:16.170Z',
        changes: [{ field: 'Status', before: 'Active', after: 'Cancelled' }],
      },
    ],
    total: 1,
    page: 1,
    limit: 10,
    retained_from: null,
    rate_limit: {
      remaining: 994,
      limit: 1000,
      reset: '2026-11-24T00:00:00.000Z',
    },
  },
  handle: async ({ db }, { query, limitState }) =>
    readPage(db, { entity: 'gst', identifier: gstinFrom(query.gstin) }, query, limitState),
})
