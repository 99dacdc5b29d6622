import { z } from 'zod'
import { addChannel } from '../../../notify/operators/channels.ts'
import { operation } from '../../operation.ts'
import { plainText } from '../../parameters.ts'
import { channelId, kind } from './alert-schemas.ts'

export default operation({
  id: 'addAlertChannel',
  method: 'POST',
  path: '/admin/alerts/channels',
  summary: 'Add an alert channel',
  description:
    'Sends the conditions that the health page shows: once per cause and hour at most, grouped, and again when they are resolved. A webhook gets ' +
    'them signed in the Standard Webhooks format, see `conditions.changed`; `slack` is any URL that accepts Slack messages.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['UNPROCESSABLE', 'CONFLICT'],
  body: z
    .strictObject({ kind, address: plainText(2000).min(3).describe('https URL, or e-mail address') })
    .meta({ examples: [{ kind: 'webhook', address: 'https://example.com/panji' }] }),
  reply: {
    201: z.object({
      channel_id: channelId,
      secret: z.string().nullable().describe('Verifies what the webhook receives; shown only now'),
    }),
  },
  example: { channel_id: '34e17036-86e3-4be4-aaa6-3f5b5b5903d1', secret: 'whsec_…' },
  handle: async (
    { db, delivery: { secretKey }, settings: { allowPrivateSources: allowPrivate = false } },
    request,
    actor,
  ) => {
    const given = { ...request.body, origin: 'console' as const, createdBy: actor, allowPrivate }
    const made = await db.transaction((tx) => addChannel(tx, secretKey, given))
    return { channel_id: made.channelId, secret: made.secret }
  },
})
