import { readHoldingRuns, requireFreeSource } from '../../../ingest/run/holding-runs.ts'
import { readScheduleOverHttp, requestScheduleRun } from '../../../queue/schedule/schedules-over-http.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { asAct, Schedule, SchedulePath, scheduleReply } from './schedule-schemas.ts'
import example from './set.example.json' with { type: 'json' }

export default operation({
  id: 'runSchedule',
  method: 'POST',
  path: '/admin/schedules/:name/run',
  summary: 'Run a schedule now',
  description:
    'In addition to its slots, which do not change. A worker enqueues the job. Fails while a run of its source waits for a decision.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['CONFLICT'],
  params: SchedulePath,
  body: noBody,
  reply: { 202: Schedule },
  example,
  handle: async ({ db, queue }, request, actor) => {
    const { name } = request.params
    await requireFreeSource(db, name, (await readScheduleOverHttp(db, name)).payload)
    await asAct(db, actor, 'run schedule', name, (tx) => requestScheduleRun(tx, queue, name))
    return scheduleReply(await readScheduleOverHttp(db, name), await readHoldingRuns(db))
  },
})
