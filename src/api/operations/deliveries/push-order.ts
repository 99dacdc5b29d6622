import { readDestination } from '../../../deliver/destinations/open-destination.ts'
import { approvePlan } from '../../../deliver/plan/approve-plan.ts'
import { readPush } from '../../../deliver/push/read-push.ts'
import { requestPush } from '../../../deliver/push/request-push.ts'
import { operation } from '../../operation.ts'
import { OrderPath, Push, PushBody } from './delivery-schemas.ts'
import { talkErrors } from './push-schemas.ts'

export default operation({
  id: 'pushOrder',
  method: 'POST',
  path: '/api/crm/orders/:order_id/push',
  summary: 'Deliver an order to a CRM',
  description:
    'Declares what the CRM is to hold; the delivery continues automatically, through outages and pauses. Pushing again does not write ' +
    'what is already there. With the hash of a plan, exactly that plan is executed or nothing: 409 where the CRM or the data has changed, and where the plan ' +
    'adopts records that you already had and `adopt` is missing.',
  caller: { scopes: ['deliver'] },
  audit: 'act',
  errors: talkErrors,
  idempotent: true,
  params: OrderPath,
  body: PushBody,
  reply: { 201: Push },
  example: {
    push_id: 'b09b5b83-2640-40ee-825d-178d25e50384',
    order_id: 'da07f57d-6947-4618-8c4e-41f98d037fa4',
    destination_id: '448fc632-48e0-49ff-a002-78408e6c4d33',
    status: 'running',
    created: 0,
    updated: 0,
    unchanged: 0,
    rejected: 0,
    pending: 3,
    unknown: 0,
  },
  handle: async ({ db, queue, delivery }, request, { accountId }) => {
    const { destination_id: destinationId, hash, adopt } = request.body
    await readDestination(db, destinationId, accountId)
    const target = { orderId: request.params.order_id, destinationId }
    if (hash !== undefined) {
      await delivery.crmRequests.run(request, (signal) => approvePlan(delivery, { ...target, hash, adopt }, signal))
    }
    const approved = hash !== undefined
    const { pushId } = await db.transaction((tx) => requestPush(tx, queue, { ...target, approved }))
    const { status, counts } = await readPush(db, pushId)
    const { destination: destination_id, ...more } = counts
    return { push_id: pushId, destination_id, status, ...more }
  },
})
