import { z } from 'zod'
import { mappingExample } from '../../../../config/delivery-example.ts'
import { previewMapping } from '../../../deliver/mapping/change-mapping.ts'
import { operation } from '../../operation.ts'
import { DestinationPath } from '../destinations/destination-schemas.ts'
import { fields, MappingPreview, path, talkErrors } from './mapping-schemas.ts'
import example from './preview.example.json' with { type: 'json' }

const PreviewBody = z
  .strictObject({ fields: fields.optional().describe('Fields to preview; by default those that are saved') })
  .nullish()
  .meta({ examples: [mappingExample] })

export default operation({
  id: 'previewMapping',
  method: 'POST',
  path: `${path}/mapping/preview`,
  summary: 'Preview a mapping on your newest leads',
  description: "Checks it against the CRM's own field list, which the answer includes, and saves nothing.",
  caller: { scopes: ['deliver'] },
  audit: { reads: 'leads' },
  errors: talkErrors,
  params: DestinationPath,
  body: PreviewBody,
  reply: { 200: MappingPreview },
  example,
  handle: async ({ delivery }, request, { accountId }) => {
    const { destination_id: id } = request.params
    return delivery.crmRequests.run(request, (signal) =>
      previewMapping(delivery, id, request.body?.fields, signal, accountId),
    )
  },
})
