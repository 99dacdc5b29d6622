import { z } from 'zod'
import { gstinFrom } from '../../../registry/identifier-input.ts'
import { operation } from '../../operation.ts'
import example from './company-trace.example.json' with { type: 'json' }
import { gstin, historyFacts, TraceReply, traceDescription, traceRecord } from './history-schemas.ts'

export default operation({
  id: 'getGstTrace',
  ...historyFacts,
  path: '/api/gst/trace',
  summary: 'Where each field of a GST registration comes from',
  description: traceDescription,
  query: z.object({ gstin }),
  reply: { 200: TraceReply },
  example,
  handle: async ({ db }, { query, limitState }) => traceRecord(db, 'gst', gstinFrom(query.gstin), limitState),
})
