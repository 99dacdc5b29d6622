import { z } from 'zod'
import { queueAlert, testAlert } from '../../../notify/operators/queue-alert.ts'
import { operation } from '../../operation.ts'
import { idText } from '../../parameters.ts'

export default operation({
  id: 'testAlerts',
  method: 'POST',
  path: '/admin/alerts/test',
  summary: 'Test all alert channels, or one',
  description: 'A worker sends a test notification; GET /admin/alerts has the result.',
  caller: { role: 'operator' },
  audit: 'act',
  body: z
    .strictObject({ channel_id: idText('ID of the channel; all channels by default').optional() })
    .meta({ examples: [{}] }),
  reply: { 200: z.object({ queued: z.number().describe('Channels that are tested') }) },
  example: { queued: 2 },
  handle: async ({ db }, request) => ({ queued: (await queueAlert(db, testAlert, request.body.channel_id)).length }),
})
