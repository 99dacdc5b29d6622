import { z } from 'zod'
import { sendTestRow } from '../../../deliver/destinations/test-row.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import { DestinationPath } from '../destinations/destination-schemas.ts'
import { path, talkErrors } from './mapping-schemas.ts'
import example from './send-test-row.example.json' with { type: 'json' }

const TestRow = z
  .object({
    ok: z.boolean(),
    outcome: z.enum(['created', 'updated', 'unchanged', 'rejected', 'deferred', 'unknown']),
    code: z.string().nullable().describe("The CRM's own code, where it rejected the row"),
    field: z.string().nullable(),
    message: z.string().nullable(),
    crm_id: z.string().nullable(),
    fields: z.record(z.string(), z.unknown()).describe('Values that the CRM returned'),
    removed: z.boolean().describe('false where the row is still in the CRM'),
  })
  .meta({ id: 'TestRow' })

export default operation({
  id: 'sendTestRow',
  method: 'POST',
  path: `${path}/test-row`,
  summary: 'Send one invented row to the CRM',
  description: 'Written like a lead, with the mapping, read back, and deleted again. It costs nothing.',
  caller: { scopes: ['deliver'] },
  audit: 'act',
  errors: talkErrors,
  params: DestinationPath,
  body: noBody,
  reply: { 200: TestRow },
  example,
  handle: async ({ delivery }, request, { accountId }) => {
    const { destination_id: id } = request.params
    const result = await delivery.crmRequests.run(request, (signal) => sendTestRow(delivery, id, signal, accountId))
    return { ...result, fields: { ...result.fields } }
  },
})
