import { readDelivery } from '../../../deliver/record/list-deliveries.ts'
import { identifierIn } from '../../../domain/identity.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { ownRecordUrl, SandboxLink, sandboxPagesOf } from '../sandbox/sandbox-links.ts'
import { DeliveryPath } from './delivery-schemas.ts'

export default operation({
  id: 'openDeliverySandbox',
  method: 'POST',
  path: '/api/crm/deliveries/:delivery_id/sandbox',
  summary: 'Create a link to a delivered record in a sandbox CRM',
  description:
    'Opens only that page, in one browser, once and within a minute. For leads delivered to a sandbox CRM; a real ' +
    'CRM has the page at `crm_url`.',
  caller: { scopes: ['read'] },
  audit: { reads: 'leads' },
  params: DeliveryPath,
  body: noBody,
  reply: { 200: SandboxLink },
  example: {
    url: 'http://127.0.0.1:8081/pages/zoho/records/1?pass=one',
  },
  handle: async ({ db, settings }, request, { accountId }) => {
    const pages = sandboxPagesOf(settings)
    const { crm_url: address, record } = await readDelivery(db, request.params.delivery_id, accountId)
    addReadings(request, { identifiers: [identifierIn(record)] })
    return { url: ownRecordUrl(pages, address, false) }
  },
})
