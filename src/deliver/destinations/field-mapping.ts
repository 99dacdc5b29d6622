/**
 * A destination's own mapping, in place of the connector's for single fields: constants, columns and templates, transformed,
 * and whose a field is. A lead's row goes in, what its fields are to hold comes out; pure.
 */
import { z } from 'zod'
import { type LeadRow, leadColumns } from '../../../config/lead-columns.ts'
import { type FieldOverride, type OutgoingLead, ownerships } from '../../../connectors/contract.ts'
import { type EntityType, entityTypes } from '../../domain/identity.ts'

const steps = {
  trim: (text: string) => text.trim(),
  upper: (text: string) => text.toUpperCase(),
  lower: (text: string) => text.toLowerCase(),
  title: (text: string) => text.toLowerCase().replace(/(^|[^\p{L}\p{M}])\p{L}/gu, (part) => part.toUpperCase()),
  digits: (text: string) => text.replace(/\D/g, ''),
  /** Of a list. */
  first: (text: string) => (text.split(/[;|]/)[0] ?? '').trim(),
  year: (text: string) => /\b\d{4}\b/.exec(text)?.[0] ?? '',
} as const
export const transforms = Object.keys(steps) as (keyof typeof steps)[]

const textMax = 2_000
export const FieldMapping = z
  .strictObject({
    field: z.string().min(1).max(100).describe('As the CRM names it; the preview lists those that there are'),
    for: z
      .array(z.enum(entityTypes))
      .min(1)
      .max(entityTypes.length)
      .optional()
      .describe('Leads of these kinds only; all unless said'),
    value: z
      .union([
        z.strictObject({ constant: z.string().max(textMax).describe('The same for every lead') }),
        z.strictObject({ column: z.string().max(100).describe('A column of the lead') }),
        z.strictObject({
          template: z.string().max(textMax).describe('Text with columns in it: `{LegalName} ({GSTIN})`'),
        }),
        z.strictObject({ omit: z.literal(true).describe('Never write this field') }),
      ])
      .optional()
      .describe("In place of what the field would hold; the connector's own value unless said"),
    transform: z.array(z.enum(transforms)).max(5).optional().describe('Done one after the other'),
    ownership: z
      .enum(ownerships)
      .optional()
      .describe(
        'Who owns the field: the register always, whoever fills it first, or the register until somebody edits it',
      ),
  })
  .meta({ id: 'FieldMapping' })
export type FieldMapping = z.infer<typeof FieldMapping>

export const fieldMappingsMax = 200

export const kindsOf = ({ for: kinds }: FieldMapping): readonly EntityType[] => kinds ?? entityTypes

/** Columns that a mapping reads. */
export function columnsOf({ value }: FieldMapping): string[] {
  if (value === undefined) return []
  if ('column' in value) return [value.column]
  return 'template' in value ? [...value.template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '') : []
}

export const columnExists = (type: EntityType, column: string): boolean =>
  leadColumns[type].some(({ name }) => name === column)

/** The leads as their destination wants them. */
export function withOverrides<L extends OutgoingLead>(leads: readonly L[], mapping: readonly FieldMapping[]): L[] {
  if (mapping.length === 0) return [...leads]
  return leads.map((lead) => ({
    ...lead,
    overrides: overridesFor(lead, mapping),
    unconfirmed: (lead.unconfirmed ?? []).map(({ row }) => ({
      row,
      overrides: overridesFor({ type: lead.type, row }, mapping),
    })),
  }))
}

export function overridesFor(
  lead: Pick<OutgoingLead, 'type' | 'row'>,
  mapping: readonly FieldMapping[],
): FieldOverride[] {
  return mapping
    .filter((each) => kindsOf(each).includes(lead.type))
    .map((each) => {
      const value = textOf(each, lead.row)
      return {
        field: each.field,
        ...(value === undefined ? {} : { value }),
        ...(each.ownership === undefined ? {} : { ownership: each.ownership }),
      }
    })
}

/** Null: not written. A template of which no column is known says nothing, whatever stands between them. */
function textOf(mapping: FieldMapping, row: LeadRow): string | null | undefined {
  const { value, transform = [] } = mapping
  if (value === undefined) return undefined
  if ('omit' in value) return null
  const cell = (column: string) => String(row[column] ?? '')
  const transformed = (text: string) => transform.reduce((before, step) => steps[step](before), text)
  if ('constant' in value) return transformed(value.constant)
  if ('column' in value) return transformed(cell(value.column))
  const columns = columnsOf(mapping)
  if (columns.length > 0 && columns.every((column) => cell(column).trim() === '')) return ''
  return transformed(value.template.replace(/\{(\w+)\}/g, (_, column: string) => cell(column)))
}
