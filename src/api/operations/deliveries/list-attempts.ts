import { readAttempts } from '../../../deliver/record/attempts/read-attempts.ts'
import { readDelivery } from '../../../deliver/record/list-deliveries.ts'
import { identifierIn } from '../../../domain/identity.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { operation } from '../../operation.ts'
import { Attempts } from './attempt-schemas.ts'
import { DeliveryPath } from './delivery-schemas.ts'
import example from './list-attempts.example.json' with { type: 'json' }

export default operation({
  id: 'listDeliveryAttempts',
  method: 'GET',
  path: '/api/crm/deliveries/:delivery_id/attempts',
  summary: 'List the attempts to deliver a lead',
  description:
    "Each attempt of the last thirty days with the members that were sent, the CRM's response, and each field before and after. " +
    'A key without the scope `deliver`, and an operator who views the account, see which fields were sent, but no values.',
  caller: { scopes: ['read'] },
  audit: { reads: 'leads' },
  params: DeliveryPath,
  reply: { 200: Attempts },
  example,
  handle: async ({ db }, request, { accountId, scopes, viewer }) => {
    const isMasked = viewer !== null || !scopes.includes('deliver')
    const { delivery_id: deliveryId, record } = await readDelivery(db, request.params.delivery_id, accountId)
    addReadings(request, { identifiers: [identifierIn(record)] })
    return { data: await readAttempts(db, deliveryId, { isMasked }) }
  },
})
