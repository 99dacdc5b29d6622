import { planPush } from '../../../deliver/plan/plan-push.ts'
import { operation } from '../../operation.ts'
import { OrderPath, Plan, PlanBody } from './delivery-schemas.ts'
import example from './plan-push.example.json' with { type: 'json' }
import { talkErrors } from './push-schemas.ts'

export default operation({
  id: 'planPush',
  method: 'POST',
  path: '/api/crm/orders/:order_id/plan',
  summary: 'Preview a push, lead by lead',
  description:
    'Reads the CRM and writes nothing: create, update with each field before and after, adopt with the record that you already had, ' +
    'unchanged, conflict, or reject with its reason. The hash identifies the whole plan. 409 `LEADS_NOT_READY` while the leads of the ' +
    'order are still being built.',
  caller: { scopes: ['deliver'] },
  audit: { reads: 'leads' },
  errors: talkErrors,
  params: OrderPath,
  body: PlanBody,
  reply: { 200: Plan },
  example,
  handle: async ({ delivery }, request, { accountId }) => {
    const target = { orderId: request.params.order_id, destinationId: request.body.destination_id }
    return delivery.crmRequests.run(request, (signal) => planPush(delivery, target, signal, accountId))
  },
})
