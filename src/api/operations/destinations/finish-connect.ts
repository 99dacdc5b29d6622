import { z } from 'zod'
import { finishConsent } from '../../../deliver/connect/finish-consent.ts'
import { operation } from '../../operation.ts'
import { Destination } from './destination-schemas.ts'
import example from './finish-connect.example.json' with { type: 'json' }

const FinishBody = z
  .strictObject({
    word: z
      .string()
      .regex(/^[\w-]{43}$/, 'copy the whole code that the browser showed, all 43 characters of it')
      .describe('Code that the browser showed at the end'),
  })
  .meta({ examples: [{ word: 'wBZ0u1Vgk3cUu7nXyTn1SpM0s2oQkB4dDgqkXrJm0fA' }] })

export default operation({
  id: 'finishConnect',
  method: 'POST',
  path: '/api/crm/destinations/connect/finish',
  summary: 'Finish connecting with the code from the browser',
  description:
    'The CRM says which account it is before anything is stored. Renewed credentials keep the destination and its ledger, and must ' +
    'belong to the same account of the CRM.',
  caller: { scopes: ['deliver'], atLeast: 'admin' },
  audit: 'act',
  errors: [
    'NOT_FOUND',
    'DESTINATION_INVALID',
    'CONFLICT',
    'QUOTA_EXCEEDED',
    'CRM_UNAUTHORIZED',
    'CRM_UNAVAILABLE',
    'CONNECT_UNAVAILABLE',
    'TOO_MANY_CONCURRENT',
  ],
  body: FinishBody,
  reply: { 201: Destination },
  example,
  handle: async ({ delivery }, request, { accountId, sessionId }) => {
    const given = { accountId, begunBy: sessionId, word: request.body.word }
    return await delivery.crmRequests.run(request, (signal) => finishConsent(delivery, given, signal))
  },
})
