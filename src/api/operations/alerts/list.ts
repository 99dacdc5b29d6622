import { z } from 'zod'
import { listAlerts } from '../../../notify/operators/list-alerts.ts'
import { operation } from '../../operation.ts'
import { Alert, alertView } from './alert-schemas.ts'

const shown = 50

export default operation({
  id: 'listAlerts',
  method: 'GET',
  path: '/admin/alerts',
  tag: 'Operations',
  summary: 'What operators were notified of, the newest first',
  description: `The last ${shown} notifications with how they went; one that failed was tried for three days.`,
  caller: { role: 'viewer' },
  audit: 'nothing',
  reply: { 200: z.object({ data: z.array(Alert) }) },
  example: { data: [] },
  handle:
    ({ db }) =>
    async () => ({ data: (await listAlerts(db, shown)).map(alertView) }),
})
