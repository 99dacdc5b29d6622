import { z } from 'zod'
import { dinFrom } from '../../../registry/identifier-input.ts'
import { recordErrors } from '../../documented-errors.ts'
import { operation } from '../../operation.ts'
import example from './company-trace.example.json' with { type: 'json' }
import { din, TraceReply, traceDescription, traceRecord } from './history-schemas.ts'

export default operation({
  id: 'getDirectorTrace',
  method: 'GET',
  path: '/api/company/director-trace',
  tag: 'Details',
  summary: 'Where each field of a director comes from',
  description: traceDescription,
  caller: { scopes: ['read'] },
  audit: { reads: 'history' },
  seesAll: true,
  limit: 'details',
  errors: recordErrors,
  query: z.object({ din }),
  reply: { 200: TraceReply },
  example,
  handle: async ({ db }, { query, limitState }) => traceRecord(db, 'director', dinFrom(query.din), limitState),
})
