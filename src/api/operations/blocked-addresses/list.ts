import { z } from 'zod'
import { listBlockedAddresses } from '../../../access/blocked-addresses.ts'
import { operation } from '../../operation.ts'
import { BlockedIp, blockedIpOf } from '../accounts/account-schemas.ts'

export default operation({
  id: 'listBlockedAddresses',
  method: 'GET',
  path: '/admin/security/blocked-ips',
  summary: 'Blocked addresses',
  description:
    'Blocked by an operator, or by the system after too many wrong keys; the system refuses only further wrong keys.',
  caller: { role: 'viewer' },
  audit: { reads: 'operators' },
  reply: { 200: z.object({ data: z.array(BlockedIp) }) },
  example: {
    data: [
      {
        ip: '203.0.113.7',
        reason: 'scraping',
        blocked_at: '2026-11-23T17:06:39.242Z',
        blocked_by: 'operator:default',
      },
    ],
  },
  handle: async ({ db }) => ({ data: (await listBlockedAddresses(db)).map(blockedIpOf) }),
})
