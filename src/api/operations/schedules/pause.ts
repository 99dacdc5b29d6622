import { readHoldingRuns } from '../../../ingest/run/holding-runs.ts'
import { setPaused } from '../../../queue/schedule/schedules-over-http.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import example from './pause.example.json' with { type: 'json' }
import { asAct, Schedule, SchedulePath, scheduleReply } from './schedule-schemas.ts'

export default operation({
  id: 'pauseSchedule',
  method: 'POST',
  path: '/admin/schedules/:name/pause',
  summary: 'Pause a schedule',
  description: 'Its slots are skipped until it is resumed.',
  caller: { role: 'operator' },
  audit: 'act',
  params: SchedulePath,
  body: noBody,
  reply: { 200: Schedule },
  example,
  handle: async ({ db }, request, actor) => {
    const { name } = request.params
    const row = await asAct(db, actor, 'pause schedule', name, (tx) => setPaused(tx, name, true))
    return scheduleReply(row, await readHoldingRuns(db))
  },
})
