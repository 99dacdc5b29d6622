import { z } from 'zod'
import { blockAddress } from '../../../access/blocked-addresses.ts'
import { operation } from '../../operation.ts'
import { BlockedIp, blockedIpOf, ip } from '../accounts/account-schemas.ts'

export default operation({
  id: 'blockAddress',
  method: 'POST',
  path: '/admin/security/block-ip',
  summary: 'Block an address or network',
  description: 'Every developer call from it is refused, even with a valid key or token, until it is unblocked.',
  caller: { role: 'operator' },
  audit: 'act',
  body: z
    .strictObject({
      ip,
      reason: z.string().min(1).max(500).default('blocked by the operator').describe('Note for operators'),
    })
    .meta({ examples: [{ ip: '203.0.113.7', reason: 'scraping' }] }),
  reply: { 200: BlockedIp },
  example: {
    ip: '203.0.113.7',
    reason: 'scraping',
    blocked_at: '2026-11-23T17:06:39.242Z',
    blocked_by: 'operator:default',
  },
  handle: async ({ db }, request, by) => {
    const { ip: address, reason } = request.body
    const block = { address, reason, by }
    return blockedIpOf(await db.transaction((tx) => blockAddress(tx, block)))
  },
})
