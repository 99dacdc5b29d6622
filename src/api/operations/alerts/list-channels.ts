import { z } from 'zod'
import { listChannels } from '../../../notify/operators/channels.ts'
import { operation } from '../../operation.ts'
import { AlertChannel, channelView } from './alert-schemas.ts'

export default operation({
  id: 'listAlertChannels',
  method: 'GET',
  path: '/admin/alerts/channels',
  summary: 'List alert channels',
  description: 'Channels added here, and those of PANJI_ALERT_URL and PANJI_ALERT_MAIL; no address is shown in full.',
  caller: { role: 'viewer' },
  audit: { reads: 'operators' },
  reply: { 200: z.object({ data: z.array(AlertChannel) }) },
  example: {
    data: [
      {
        channel_id: '34e17036-86e3-4be4-aaa6-3f5b5b5903d1',
        kind: 'slack',
        shown: 'hooks.slack.example',
        origin: 'console',
        created_at: '2026-11-20T09:12:44.031Z',
        created_by: 'operator:default',
        last_sent_at: '2026-11-23T17:07:10.220Z',
        failed: 0,
      },
    ],
  },
  handle: async ({ db }) => ({ data: (await listChannels(db)).map(channelView) }),
})
