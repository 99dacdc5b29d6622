import { readHoldingRuns } from '../../../ingest/run/holding-runs.ts'
import { setPaused } from '../../../queue/schedule/schedules-over-http.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { asAct, Schedule, SchedulePath, scheduleReply } from './schedule-schemas.ts'
import example from './set.example.json' with { type: 'json' }

export default operation({
  id: 'resumeSchedule',
  method: 'POST',
  path: '/admin/schedules/:name/resume',
  summary: 'Resume a schedule',
  description: 'Missed slots are not caught up.',
  caller: { role: 'operator' },
  audit: 'act',
  params: SchedulePath,
  body: noBody,
  reply: { 200: Schedule },
  example,
  handle: async ({ db }, request, actor) => {
    const { name } = request.params
    const row = await asAct(db, actor, 'resume schedule', name, (tx) => setPaused(tx, name, false))
    return scheduleReply(row, await readHoldingRuns(db))
  },
})
