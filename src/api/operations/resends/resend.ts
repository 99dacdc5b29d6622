import { resendPlanned, resendUnplanned } from '../../../deliver/resend/resend.ts'
import { operation } from '../../operation.ts'
import { talkErrors } from '../deliveries/push-schemas.ts'
import { DestinationPath } from '../destinations/destination-schemas.ts'
import { path, ResendBody, Resent } from './resend-schemas.ts'

export default operation({
  id: 'resend',
  method: 'POST',
  path,
  summary: 'Resend what a destination holds',
  description:
    'Everything, what an order delivered there, or one record, free of charge: each is read from the CRM, compared with what it should hold, and ' +
    'written where it differs and nobody else owns the field. With the hash of a plan, exactly that plan is executed or nothing: 409 ' +
    'where the CRM or the data has changed. A destination that delivers approved plans only requires one.',
  caller: { scopes: ['deliver'] },
  audit: 'act',
  errors: talkErrors,
  params: DestinationPath,
  body: ResendBody,
  reply: { 200: Resent },
  example: { resent: 1 },
  handle: async ({ db, queue, delivery }, request, { accountId }) => {
    const { order_id: orderId, record, hash, adopt } = request.body ?? {}
    const selection = { destinationId: request.params.destination_id, orderId, record }
    if (hash === undefined) return { resent: await resendUnplanned(db, queue, selection, accountId) }
    const resent = await delivery.crmRequests.run(request, (signal) =>
      resendPlanned(delivery, queue, { ...selection, hash, adopt }, signal, accountId),
    )
    return { resent }
  },
})
