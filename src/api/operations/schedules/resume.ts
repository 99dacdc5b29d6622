import { readHoldingRuns } from '../../../ingest/run/holding-runs.ts'
import { setPaused } from '../../../queue/schedule/schedules-over-http.ts'
import { operatorOf } from '../../hooks/operator.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { asAct, Schedule, SchedulePath, told } from './schedule-schemas.ts'
import example from './set.example.json' with { type: 'json' }

export default operation({
  id: 'resumeSchedule',
  method: 'POST',
  path: '/admin/schedules/:name/resume',
  tag: 'Operations',
  summary: 'Let the slots of a schedule come again',
  description: 'Those that passed are not caught up.',
  caller: { role: 'operator' },
  audit: 'act',
  params: SchedulePath,
  body: noBody,
  reply: { 200: Schedule },
  example,
  handle:
    ({ db }) =>
    async (request) => {
      const { name } = request.params
      const row = await asAct(db, operatorOf(request), 'resume schedule', name, (tx) => setPaused(tx, name, false))
      return told(row, await readHoldingRuns(db))
    },
})
