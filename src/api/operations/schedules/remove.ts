import { z } from 'zod'
import { dropSchedule } from '../../../queue/schedule/schedules-over-http.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { asAct, SchedulePath } from './schedule-schemas.ts'

export default operation({
  id: 'removeSchedule',
  method: 'DELETE',
  path: '/admin/schedules/:name',
  summary: 'Remove a schedule that was added',
  description: 'A built-in schedule would be restored: pause it instead.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['CONFLICT'],
  params: SchedulePath,
  body: noBody,
  reply: { 200: z.object({ name: z.string(), removed: z.literal(true) }) },
  example: {
    name: 'nightly',
    removed: true,
  },
  handle: async ({ db }, request, actor) => {
    const { name } = request.params
    await asAct(db, actor, 'remove schedule', name, (tx) => dropSchedule(tx, name))
    return { name, removed: true as const }
  },
})
