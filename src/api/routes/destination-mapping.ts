/** /api/crm/destinations/{id}: its own mapping of single fields, seen on a sample before it is kept; and one test row. */
import { z } from 'zod'
import { mappingExample } from '../../../config/delivery-example.ts'
import { FieldMapping, fieldMappingsMax } from '../../deliver/field-mapping.ts'
import { previewMapping, saveMapping } from '../../deliver/mapping/change-mapping.ts'
import { readDestination } from '../../deliver/open-destination.ts'
import { sendTestRow } from '../../deliver/test-row.ts'
import type { ErrorCode } from '../../errors.ts'
import { noBody } from '../parameters.ts'
import { principalOf, type Routes } from '../route-context.ts'
import { DestinationPath } from './destination-schemas.ts'

const tags = ['CRM']
const path = '/api/crm/destinations/:destination_id'
const talkErrors: readonly ErrorCode[] = [
  'DESTINATION_INVALID',
  'CRM_UNAUTHORIZED',
  'CRM_UNAVAILABLE',
  'TOO_MANY_CONCURRENT',
]

const fields = z
  .array(FieldMapping)
  .max(fieldMappingsMax)
  .describe('Each in place of what the connector says of that field')
const Mapping = z.object({ fields }).meta({ id: 'Mapping' })
const MappingBody = z
  .strictObject({
    fields,
    resend: z.boolean().default(false).describe('Compare also what is delivered already, and write what differs'),
  })
  .meta({ examples: [mappingExample] })
const PreviewBody = z
  .strictObject({ fields: fields.optional().describe('To be looked at; those that are kept unless said') })
  .nullish()
  .meta({ examples: [mappingExample] })

const MappedField = z
  .object({
    field: z.string(),
    value: z.string().nullable().describe('null: not written'),
    fault: z.string().nullable().describe('Why the CRM would refuse it'),
  })
  .meta({ id: 'MappedField' })
const MappedSample = z.object({ record: z.string(), fields: z.array(MappedField) }).meta({ id: 'MappedSample' })
const CrmFieldShown = z
  .object({
    name: z.string(),
    label: z.string(),
    type: z.string(),
    lengthMax: z.number().nullable(),
    required: z.boolean(),
    allowed: z.array(z.string()).nullable(),
  })
  .meta({ id: 'CrmField' })
const MappingPreview = z
  .object({
    faults: z.array(z.string()).describe('Sentences; empty where the mapping can be kept'),
    sample: z.array(MappedSample).describe('Your newest leads, as the mapping would fill them'),
    crm_fields: z.array(CrmFieldShown).describe('Fields of the CRM that may be written'),
  })
  .meta({ id: 'MappingPreview' })

const TestRow = z
  .object({
    ok: z.boolean(),
    outcome: z.enum(['created', 'updated', 'unchanged', 'rejected', 'deferred', 'unknown']),
    code: z.string().nullable().describe("The CRM's own word, where it refused"),
    field: z.string().nullable(),
    message: z.string().nullable(),
    crm_id: z.string().nullable(),
    fields: z.record(z.string(), z.unknown()).describe('What the CRM said it held'),
    removed: z.boolean().describe('False where the row stayed in the CRM'),
  })
  .meta({ id: 'TestRow' })

export const destinationMappingRoutes: Routes = async (app, { db, queue, delivery }) => {
  const { connectors, secretKey } = delivery
  const parts = { db, connectors, secretKey }

  app.get(
    `${path}/mapping`,
    {
      config: { scopes: ['deliver'] },
      schema: {
        operationId: 'getMapping',
        tags,
        summary: "A destination's own mapping",
        description: 'Of single fields; whatever it does not name is as docs/connectors.md says.',
        params: DestinationPath,
        response: { 200: Mapping },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      const { mapping } = await readDestination(db, request.params.destination_id, accountId)
      return { fields: [...mapping] }
    },
  )

  app.put(
    `${path}/mapping`,
    {
      config: { scopes: ['deliver'], errors: talkErrors },
      schema: {
        operationId: 'putMapping',
        tags,
        summary: "Keep a destination's own mapping",
        description:
          "Takes the place of the one before, once the CRM's own field list allows it; 422 names each fault. What was refused goes again " +
          'with it, what is delivered follows with its next change.',
        params: DestinationPath,
        body: MappingBody,
        response: { 200: MappingPreview },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      const { fields: mapping, resend } = request.body
      const asked = { destinationId: request.params.destination_id, mapping, resend }
      return asJson(await delivery.talks.run(request, (signal) => saveMapping(parts, queue, asked, signal, accountId)))
    },
  )

  app.post(
    `${path}/mapping/preview`,
    {
      config: { scopes: ['deliver'], errors: talkErrors },
      schema: {
        operationId: 'previewMapping',
        tags,
        summary: 'See a mapping on your newest leads',
        description: "Checks it against the CRM's own field list, which the answer holds, and keeps nothing.",
        params: DestinationPath,
        body: PreviewBody,
        response: { 200: MappingPreview },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      const { destination_id: id } = request.params
      return asJson(
        await delivery.talks.run(request, (signal) =>
          previewMapping(parts, id, request.body?.fields, signal, accountId),
        ),
      )
    },
  )

  app.post(
    `${path}/test-row`,
    {
      config: { scopes: ['deliver'], errors: talkErrors },
      schema: {
        operationId: 'sendTestRow',
        tags,
        summary: 'Send one invented row into the CRM',
        description: 'Written as leads are, with the mapping, looked up, and deleted again. It costs nothing.',
        params: DestinationPath,
        body: noBody,
        response: { 200: TestRow },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      const { destination_id: id } = request.params
      const told = await delivery.talks.run(request, (signal) => sendTestRow(parts, id, signal, accountId))
      return { ...told, fields: { ...told.fields } }
    },
  )
}

const asJson = (preview: Awaited<ReturnType<typeof previewMapping>>) => ({
  faults: [...preview.faults],
  sample: preview.sample.map(({ record, fields: told }) => ({ record, fields: told.map((each) => ({ ...each })) })),
  crm_fields: preview.crm_fields.map((field) => ({
    ...field,
    allowed: field.allowed === null ? null : [...field.allowed],
  })),
})
