import { z } from 'zod'
import { gstinFrom } from '../../../registry/identifier-input.ts'
import { recordErrors } from '../../documented-errors.ts'
import { operation } from '../../operation.ts'
import example from './company-trace.example.json' with { type: 'json' }
import { gstin, TraceReply, traceDescription, traceRecord } from './history-schemas.ts'

export default operation({
  id: 'getGstTrace',
  method: 'GET',
  path: '/api/gst/trace',
  tag: 'Details',
  summary: 'Where each field of a GST registration comes from',
  description: traceDescription,
  caller: { scopes: ['read'] },
  audit: { reads: 'history' },
  seesAll: true,
  limit: 'details',
  errors: recordErrors,
  query: z.object({ gstin }),
  reply: { 200: TraceReply },
  example,
  handle: async ({ db }, { query, limitState }) => traceRecord(db, 'gst', gstinFrom(query.gstin), limitState),
})
