import { z } from 'zod'
import { registerSpelling } from '../../../domain/entity-identifier.ts'
import { readTrace } from '../../../registry/history/lineage.ts'
import { operation } from '../../operation.ts'
import { found } from '../details/record-read.ts'
import traceExample from '../history/company-trace.example.json' with { type: 'json' }
import { TraceReply } from '../history/history-schemas.ts'
import { RecordPath } from './record-path.ts'

export default operation({
  id: 'getRecord',
  method: 'GET',
  path: '/admin/records/:entity/:identifier',
  summary: 'Get a record with the origin of each value',
  description: 'Every field that has a value, with the run, file, day and line that it came from.',
  caller: { role: 'viewer' },
  audit: { reads: 'history' },
  params: RecordPath,
  reply: { 200: z.object({ data: TraceReply.shape.data }) },
  example: { data: traceExample.data },
  handle: async ({ db }, { params: { entity, identifier } }) => ({
    data: found(await readTrace(db, entity, registerSpelling(entity, identifier)), entity, identifier),
  }),
})
