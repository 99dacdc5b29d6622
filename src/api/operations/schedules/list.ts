import { z } from 'zod'
import { readHoldingRuns } from '../../../ingest/run/holding-runs.ts'
import { listSchedulesOverHttp } from '../../../queue/schedule/schedules-over-http.ts'
import { operation } from '../../operation.ts'
import { Schedule, scheduleReply } from './schedule-schemas.ts'
import nightly from './set.example.json' with { type: 'json' }

export default operation({
  id: 'listSchedules',
  method: 'GET',
  path: '/admin/schedules',
  summary: 'List schedules with their last and next slots',
  description: 'Built-in schedules and those that operators added, by name.',
  caller: { role: 'viewer' },
  audit: 'nothing',
  reply: { 200: z.object({ data: z.array(Schedule) }) },
  example: {
    data: [nightly],
  },
  handle: async ({ db }) => {
    const held = await readHoldingRuns(db)
    return { data: (await listSchedulesOverHttp(db)).map((row) => scheduleReply(row, held)) }
  },
})
