import { readAttempts } from '../../../deliver/record/attempts/read-attempts.ts'
import { readDelivery } from '../../../deliver/record/list-deliveries.ts'
import { identifierIn } from '../../../domain/identity.ts'
import { roleAllows } from '../../../domain/operator-role.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { enteredOf } from '../../hooks/operator.ts'
import { operation } from '../../operation.ts'
import { Attempts } from './attempt-schemas.ts'
import { DeliveryPath } from './delivery-schemas.ts'
import example from './list-attempts.example.json' with { type: 'json' }

export default operation({
  id: 'findDeliveryAttempts',
  method: 'GET',
  path: '/admin/deliveries/:delivery_id/attempts',
  summary: 'List the attempts to deliver a lead of any account',
  description:
    "Each attempt of the last thirty days with the members that were sent, the CRM's response, and each field before and after. " +
    'The role `viewer` sees which fields were sent, but no values.',
  caller: { role: 'viewer' },
  audit: { reads: 'leads' },
  params: DeliveryPath,
  reply: { 200: Attempts },
  example,
  handle: async ({ db }, request) => {
    const isMasked = !roleAllows(enteredOf(request).operator.role, 'operator')
    const { delivery_id: deliveryId, record } = await readDelivery(db, request.params.delivery_id)
    addReadings(request, { identifiers: [identifierIn(record)] })
    return { data: await readAttempts(db, deliveryId, { isMasked }) }
  },
})
