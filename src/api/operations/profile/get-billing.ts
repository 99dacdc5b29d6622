import { z } from 'zod'
import { readBillingDetailsOf } from '../../../access/billing-details.ts'
import { revisionOf } from '../../../db/revision.ts'
import { KeptBilling, shownBilling } from '../../billing-schema.ts'
import { revision } from '../../formats.ts'
import { operation } from '../../operation.ts'

export default operation({
  id: 'getBillingDetails',
  method: 'GET',
  path: '/api/users/me/billing',
  summary: 'Get your billing details',
  description: '`billing` is null until you set it.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: z.object({ billing: KeptBilling.nullable(), revision }) },
  example: {
    billing: {
      legal_name: 'Mandovi Trading LLP',
      address: '12 Altinho, Panaji 403001',
      place_of_supply: '30',
      gstin: null,
    },
    revision: '1f0c8d3be2a94576',
  },
  handle: async ({ db }, _request, { accountId }) => {
    const details = await readBillingDetailsOf(db, accountId)
    return { billing: details && shownBilling(details), revision: revisionOf(details) }
  },
})
