import { z } from 'zod'
import { listChannels } from '../../../notify/operators/channels.ts'
import { operation } from '../../operation.ts'
import { AlertChannel, channelView } from './alert-schemas.ts'

export default operation({
  id: 'listAlertChannels',
  method: 'GET',
  path: '/admin/alerts/channels',
  tag: 'Operations',
  summary: 'Where operators are notified',
  description:
    'Channels that were set up here, and those of PANJI_ALERT_URL and PANJI_ALERT_MAIL; no address is shown whole.',
  caller: { role: 'viewer' },
  audit: { reads: 'operators' },
  reply: { 200: z.object({ data: z.array(AlertChannel) }) },
  example: { data: [] },
  handle:
    ({ db }) =>
    async () => ({ data: (await listChannels(db)).map(channelView) }),
})
