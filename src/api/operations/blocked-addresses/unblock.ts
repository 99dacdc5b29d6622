import { z } from 'zod'
import { unblockAddress } from '../../../access/blocked-addresses.ts'
import { operation } from '../../operation.ts'
import { ip } from '../accounts/account-schemas.ts'

export default operation({
  id: 'unblockAddress',
  method: 'POST',
  path: '/admin/security/unblock-ip',
  summary: 'Unblock an address',
  description: 'Also clears its failed logins. An address inside a blocked network is unblocked with the network.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['NOT_FOUND', 'CONFLICT'],
  body: z.strictObject({ ip }).meta({ examples: [{ ip: '203.0.113.7' }] }),
  reply: { 200: z.object({ ip: z.string(), unblocked: z.literal(true) }) },
  example: {
    ip: '203.0.113.7',
    unblocked: true,
  },
  handle: async ({ db }, request, actor) => {
    const address = request.body.ip
    await db.transaction((tx) => unblockAddress(tx, address, actor))
    return { ip: address, unblocked: true as const }
  },
})
