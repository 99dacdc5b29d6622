import { z } from 'zod'
import { dinFrom } from '../../../registry/identifier-input.ts'
import { operation } from '../../operation.ts'
import example from './company-trace.example.json' with { type: 'json' }
import { din, historyFacts, TraceReply, traceDescription, traceRecord } from './history-schemas.ts'

export default operation({
  id: 'getDirectorTrace',
  ...historyFacts,
  path: '/api/company/director-trace',
  summary: 'Where each field of a director comes from',
  description: traceDescription,
  query: z.object({ din }),
  reply: { 200: TraceReply },
  example,
  handle: async ({ db }, { query, limitState }) => traceRecord(db, 'director', dinFrom(query.din), limitState),
})
