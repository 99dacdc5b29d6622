import { signedReceipt } from '../../../deliver/record/receipts.ts'
import { operation } from '../../operation.ts'
import { DeliveryPath, ReceiptFile } from './delivery-schemas.ts'
import example from './get-receipt.example.json' with { type: 'json' }

export default operation({
  id: 'getReceipt',
  method: 'GET',
  path: '/api/crm/deliveries/:delivery_id/receipt',
  summary: 'Get the signed receipt of a delivery',
  description:
    'File and run that the record came from, hash of what was sent, record in the CRM, time, and the transfer that paid for it. ' +
    '`panji receipt verify` verifies it offline. 409 until the CRM has acknowledged the lead.',
  caller: { scopes: ['read'] },
  audit: { reads: 'leads' },
  errors: ['CONFLICT'],
  params: DeliveryPath,
  reply: { 200: ReceiptFile },
  example,
  handle: async ({ db, delivery }, request, { accountId }) => {
    const { delivery_id: deliveryId } = request.params
    const { receipt, jws, key } = await signedReceipt(db, delivery.secretKey, deliveryId, accountId)
    return { receipt, jws, key: { kty: 'OKP', crv: 'Ed25519', x: String(key.x) } as const }
  },
})
