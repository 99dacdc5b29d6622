/**
 * A destination's own mapping, which overrides the connector's for single fields: constants, columns and templates,
 * their transformations, and who owns the field. Pure.
 */
import { z } from 'zod'
import { leadColumns } from '../../../config/lead-columns.ts'
import { type FieldOverride, type OutgoingLead, ownerships } from '../../../connectors/contract.ts'
import { type EntityType, entityTypes } from '../../domain/identity.ts'
import { branchFor, columnsOfValue, MappedValue, type PlainValue, textOfPlain } from './mapped-value.ts'
import type { Turns } from './turns.ts'

const steps = {
  trim: (text: string) => text.trim(),
  upper: (text: string) => text.toUpperCase(),
  lower: (text: string) => text.toLowerCase(),
  title: (text: string) => text.toLowerCase().replace(/(^|[^\p{L}\p{M}])\p{L}/gu, (part) => part.toUpperCase()),
  digits: (text: string) => text.replace(/\D/g, ''),
  /** The first item of a list. */
  first: (text: string) => (text.split(/[;|]/)[0] ?? '').trim(),
  year: (text: string) => /\b\d{4}\b/.exec(text)?.[0] ?? '',
} as const
export const transforms = Object.keys(steps) as (keyof typeof steps)[]

export const FieldMapping = z
  .strictObject({
    field: z.string().min(1).max(100).describe('Name of the field in the CRM; the preview lists those available'),
    for: z
      .array(z.enum(entityTypes))
      .min(1)
      .max(entityTypes.length)
      .optional()
      .describe('Only leads of these kinds; default: all'),
    value: MappedValue.optional().describe("Overrides what the field would hold; default: the connector's own value"),
    transform: z.array(z.enum(transforms)).max(5).optional().describe('Applied in order'),
    ownership: z
      .enum(ownerships)
      .optional()
      .describe('Who owns the field: always the register, the first to fill it, or the register until a user edits it'),
  })
  .meta({ id: 'FieldMapping' })
export type FieldMapping = z.infer<typeof FieldMapping>

export const fieldMappingsMax = 200

export const kindsOf = ({ for: kinds }: FieldMapping): readonly EntityType[] => kinds ?? entityTypes

/** Columns that a mapping reads. */
export const columnsOf = ({ value }: FieldMapping): string[] => (value === undefined ? [] : columnsOfValue(value))

export const columnExists = (type: EntityType, column: string): boolean =>
  leadColumns[type].some(({ name }) => name === column)

/** The leads with the overrides of their destination. */
export async function withOverrides<L extends OutgoingLead>(
  leads: readonly L[],
  mapping: readonly FieldMapping[],
  turns: Turns,
): Promise<L[]> {
  if (mapping.length === 0) return [...leads]
  const turnOf = await turnsAmong(leads, mapping, turns)
  return leads.map((lead) => ({
    ...lead,
    overrides: overridesFor(lead, mapping, turnOf(lead)),
    unconfirmed: (lead.unconfirmed ?? []).map(({ row }) => ({
      row,
      overrides: overridesFor({ type: lead.type, row }, mapping, turnOf(lead)),
    })),
  }))
}

/** The rotation member for one record, by CRM field and list. */
type TurnOf = (field: string, members: readonly string[]) => string | undefined

/** Resolves the rotations that these records need, with one query per list. */
async function turnsAmong(
  leads: readonly Pick<OutgoingLead, 'externalId' | 'type' | 'row'>[],
  mapping: readonly FieldMapping[],
  turns: Turns,
): Promise<(lead: { readonly externalId: string }) => TurnOf> {
  const rotations = new Map<string, { field: string; members: readonly string[]; records: Set<string> }>()
  for (const { externalId, type, row } of leads) {
    for (const each of mapping) {
      const branch = each.value && kindsOf(each).includes(type) ? branchFor(each.value, row) : undefined
      if (branch === undefined || !('round_robin' in branch)) continue
      const key = JSON.stringify([each.field, branch.round_robin])
      const list = rotations.get(key) ?? { field: each.field, members: branch.round_robin, records: new Set() }
      list.records.add(externalId)
      rotations.set(key, list)
    }
  }
  const answers = new Map<string, ReadonlyMap<string, string>>()
  for (const [key, { field, members, records }] of rotations)
    answers.set(key, await turns(field, members, [...records]))
  return ({ externalId }) =>
    (field, members) =>
      answers.get(JSON.stringify([field, members]))?.get(externalId)
}

export function overridesFor(
  lead: Pick<OutgoingLead, 'type' | 'row'>,
  mapping: readonly FieldMapping[],
  turnOf: TurnOf = () => undefined,
): FieldOverride[] {
  return mapping
    .filter((each) => kindsOf(each).includes(lead.type))
    .map((each) => {
      const branch = each.value === undefined ? undefined : branchFor(each.value, lead.row)
      const value = branch === undefined ? undefined : textOf(each, branch, lead, turnOf)
      return {
        field: each.field,
        ...(value === undefined ? {} : { value }),
        ...(each.ownership === undefined ? {} : { ownership: each.ownership }),
      }
    })
}

function textOf(
  { field, transform = [] }: FieldMapping,
  branch: PlainValue,
  { row }: Pick<OutgoingLead, 'row'>,
  turnOf: TurnOf,
): string | null | undefined {
  const text = textOfPlain(branch, row, 'round_robin' in branch ? turnOf(field, branch.round_robin) : undefined)
  // An unknown value stays empty, whatever the transformations.
  return typeof text === 'string' && text !== '' ? transform.reduce((before, step) => steps[step](before), text) : text
}
