import { z } from 'zod'
import { mappingExample } from '../../../../config/delivery-example.ts'
import { saveMapping } from '../../../deliver/mapping/change-mapping.ts'
import { operation } from '../../operation.ts'
import { revisionRead } from '../../parameters.ts'
import { DestinationPath } from '../destinations/destination-schemas.ts'
import { fields, MappingPreview, path, talkErrors } from './mapping-schemas.ts'
import example from './put.example.json' with { type: 'json' }

const MappingBody = z
  .strictObject({
    fields: fields.optional(),
    version: z
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe('Instead of fields: the version to restore; 0 clears the mapping'),
    resend: z.boolean().default(false).describe('Also compare what is already delivered, and write what differs'),
    revision: revisionRead,
  })
  .refine(({ fields: given, version }) => (given === undefined) !== (version === undefined), {
    path: ['fields'],
    message: 'or version must be given, and not both',
  })
  .meta({ examples: [mappingExample] })

export default operation({
  id: 'putMapping',
  method: 'PUT',
  path: `${path}/mapping`,
  summary: "Save a destination's own mapping",
  description:
    "Replaces the previous one if the CRM's own field list allows it; 422 names each fault. Rejected leads are sent again " +
    'with it; delivered ones follow with their next change. Each save is a version, and an earlier one can be restored by its number. With the `revision` that you read, the call fails where another was saved since.',
  caller: { scopes: ['deliver'], atLeast: 'admin' },
  audit: 'act',
  errors: ['CONFLICT', ...talkErrors],
  params: DestinationPath,
  body: MappingBody,
  reply: { 200: MappingPreview },
  example,
  handle: async ({ queue, delivery }, request, { accountId, apiKeyId, person }) => {
    const { fields: mapping, version, resend, revision: read } = request.body
    const by = apiKeyId === null ? { name: person?.name ?? 'a session without a key' } : { apiKeyId }
    const change = {
      destinationId: request.params.destination_id,
      mapping: mapping ?? version ?? [],
      resend,
      by,
      read,
    }
    return delivery.crmRequests.run(request, (signal) => saveMapping(delivery, queue, change, signal, accountId))
  },
})
