import { z } from 'zod'
import { resendAlert } from '../../../notify/operators/list-alerts.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'

const messageId = uuid('ID of the notification')

export default operation({
  id: 'resendAlert',
  method: 'POST',
  path: '/admin/alerts/messages/:message_id/resend',
  summary: 'Resend a waiting or failed notification',
  description: 'Sends it at once, with a full set of attempts.',
  caller: { role: 'operator' },
  audit: 'act',
  params: z.object({ message_id: messageId.meta({ examples: ['112c6433-8d39-438b-97d0-0076cfc94a5e'] }) }),
  body: noBody,
  reply: { 200: z.object({ message_id: messageId }) },
  example: { message_id: '112c6433-8d39-438b-97d0-0076cfc94a5e' },
  handle: async ({ db }, request) => {
    await resendAlert(db, request.params.message_id)
    return { message_id: request.params.message_id }
  },
})
