import { z } from 'zod'
import { FieldMapping, fieldMappingsMax } from '../../../deliver/destinations/field-mapping.ts'
import type { ErrorCode } from '../../../errors.ts'

export const path = '/api/crm/destinations/:destination_id'

export const talkErrors: readonly ErrorCode[] = [
  'DESTINATION_INVALID',
  'CRM_UNAUTHORIZED',
  'CRM_UNAVAILABLE',
  'TOO_MANY_CONCURRENT',
]

export const fields = z
  .array(FieldMapping)
  .max(fieldMappingsMax)
  .describe('Each replaces what the connector does with that field')

const MappedField = z
  .object({
    field: z.string(),
    value: z.string().nullable().describe('null: not written'),
    fault: z.string().nullable().describe('Why the CRM would reject it'),
  })
  .meta({ id: 'MappedField' })

const FilledField = z.object({ field: z.string(), value: z.string() }).meta({ id: 'FilledField' })

const MappedSample = z
  .object({
    record: z.string(),
    name: z.string().describe('Name as ordered'),
    fields: z.array(MappedField),
    unmapped: z.array(FilledField).describe('What Panji puts into the other fields'),
  })
  .meta({ id: 'MappedSample' })

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

export const MappingPreview = z
  .object({
    faults: z.array(z.string()).describe('Sentences; empty where the mapping can be saved'),
    sample: z.array(MappedSample).describe('Your newest leads as the mapping would fill them'),
    crm_fields: z.array(CrmFieldShown).describe('Writable fields of the CRM'),
    columns: z.array(z.string()).describe('Columns of a lead that can fill them'),
  })
  .meta({ id: 'MappingPreview' })
