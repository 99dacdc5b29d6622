import { z } from 'zod'
import { gstinFrom } from '../../../registry/identifier-input.ts'
import { recordErrors } from '../../documented-errors.ts'
import { operation } from '../../operation.ts'
import { paging } from '../../parameters.ts'
import { description, gstin, readPage, response } from './history-schemas.ts'

export default operation({
  id: 'getGstHistory',
  method: 'GET',
  path: '/api/gst/history',
  tag: 'Details',
  summary: 'History of one GST registration',
  description,
  caller: { scopes: ['read'] },
  audit: { reads: 'history' },
  seesAll: true,
  limit: 'details',
  errors: recordErrors,
  query: z.object({ gstin, ...paging(100) }),
  reply: response,
  example: {
    data: [],
    total: 0,
    page: 1,
    limit: 10,
    retained_from: null,
    rate_limit: {
      remaining: 994,
      limit: 1000,
      reset: '2026-11-24T00:00:00.000Z',
    },
  },
  handle:
    ({ db }) =>
    async ({ query, limitState }) =>
      readPage(db, { entity: 'gst', identifier: gstinFrom(query.gstin) }, query, limitState),
})
