import { z } from 'zod'
import { queueAlert, testAlert } from '../../../notify/operators/queue-alert.ts'
import { operation } from '../../operation.ts'
import { idText } from '../../parameters.ts'

export default operation({
  id: 'testAlerts',
  method: 'POST',
  path: '/admin/alerts/test',
  tag: 'Operations',
  summary: 'Try the channels, or one of them',
  description: 'A worker sends a notification that says that it is a test; GET /admin/alerts tells how it went.',
  caller: { role: 'operator' },
  audit: 'act',
  body: z.strictObject({ channel_id: idText('All when absent').optional() }).meta({ examples: [{}] }),
  reply: { 200: z.object({ queued: z.number().describe('Channels that are tried') }) },
  example: { queued: 2 },
  handle:
    ({ db }) =>
    async (request) => ({ queued: (await queueAlert(db, testAlert, request.body.channel_id)).length }),
})
