import { plannedMax, planResend } from '../../../deliver/resend/plan-resend.ts'
import { operation } from '../../operation.ts'
import { talkErrors } from '../deliveries/push-schemas.ts'
import { DestinationPath } from '../destinations/destination-schemas.ts'
import example from './plan.example.json' with { type: 'json' }
import { path, ResendPlan, ResendPlanBody, rowsShownMax } from './resend-schemas.ts'

export default operation({
  id: 'planResend',
  method: 'POST',
  path: `${path}/plan`,
  summary: 'Preview a resend, record by record',
  description:
    'Reads from the CRM everything that the destination holds, what an order delivered there, or one record, including what the CRM acknowledged, and ' +
    'writes nothing. A deleted record is a conflict; if you name it, it would be created again. The hash identifies the whole plan. ' +
    `A destination with more than ${plannedMax} records, or more than can be read while you wait, is planned order by order.`,
  caller: { scopes: ['deliver'] },
  audit: { reads: 'leads' },
  errors: talkErrors,
  params: DestinationPath,
  body: ResendPlanBody,
  reply: { 200: ResendPlan },
  example,
  handle: async ({ delivery }, request, { accountId }) => {
    const { order_id: orderId, record } = request.body ?? {}
    const selection = { destinationId: request.params.destination_id, orderId, record }
    const plan = await delivery.crmRequests.run(request, (signal) => planResend(delivery, selection, signal, accountId))
    const rows = plan.rows.filter(({ action }) => action !== 'unchanged').slice(0, rowsShownMax)
    return { ...plan, rows }
  },
})
