import { z } from 'zod'
import { removeChannel } from '../../../notify/operators/channels.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { channelId } from './alert-schemas.ts'

export default operation({
  id: 'removeAlertChannel',
  method: 'DELETE',
  path: '/admin/alerts/channels/:channel_id',
  summary: 'Remove an alert channel',
  description:
    'Notifications that are waiting for it are dropped. To remove a channel of the environment, change the environment.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['CONFLICT'],
  params: z.object({ channel_id: channelId.meta({ examples: ['34e17036-86e3-4be4-aaa6-3f5b5b5903d1'] }) }),
  body: noBody,
  reply: { 200: z.object({ channel_id: channelId }) },
  example: { channel_id: '34e17036-86e3-4be4-aaa6-3f5b5b5903d1' },
  handle: async ({ db }, request) => {
    await db.transaction((tx) => removeChannel(tx, request.params.channel_id))
    return { channel_id: request.params.channel_id }
  },
})
