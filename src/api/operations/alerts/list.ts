import { z } from 'zod'
import { alertExample } from '../../../notify/operators/alert-message.ts'
import { listAlerts } from '../../../notify/operators/list-alerts.ts'
import { operation } from '../../operation.ts'
import { Alert, alertView } from './alert-schemas.ts'

const shown = 50

export default operation({
  id: 'listAlerts',
  method: 'GET',
  path: '/admin/alerts',
  summary: 'List the alerts sent to operators',
  description: `The last ${shown} notifications and their results, newest first; a failed one was retried for three days.`,
  caller: { role: 'viewer' },
  audit: 'nothing',
  reply: { 200: z.object({ data: z.array(Alert) }) },
  example: {
    data: [
      {
        message_id: '112c6433-8d39-438b-97d0-0076cfc94a5e',
        channel_id: '34e17036-86e3-4be4-aaa6-3f5b5b5903d1',
        kind: 'slack',
        shown: 'hooks.slack.example',
        state: 'sent',
        attempts: 1,
        last_error: null,
        created_at: '2026-11-23T17:07:09.105Z',
        told: alertExample,
      },
    ],
  },
  handle: async ({ db }) => ({ data: (await listAlerts(db, shown)).map(alertView) }),
})
