/**
 * Applies a destination's own mapping to what the connector made of a lead's fields. Pure. The caller has to protect
 * the external-id field.
 */
import type { CrmField, FieldOverride, OutgoingLead, Ownership } from './contract.ts'

/** @param nameOf the connector's own name of a field; null if the lead's record has no such field. */
export function overridesOf(
  { overrides = [] }: Pick<OutgoingLead, 'overrides'>,
  nameOf: (field: string) => string | null = (field) => field,
): ReadonlyMap<string, FieldOverride> {
  return new Map(
    overrides.flatMap((override) => {
      const name = nameOf(override.field)
      return name === null ? [] : [[name, override] as const]
    }),
  )
}

/** Marks the external-id field. */
export const withIdentity = (fields: readonly CrmField[], isIdentity: (name: string) => boolean): CrmField[] =>
  fields.map((field) => (isIdentity(field.name) ? { ...field, isIdentity: true } : field))

/** The ownership that the mapping sets for a field; undefined if it sets none. */
export const ownershipOf = (overrides: ReadonlyMap<string, FieldOverride>, field: string): Ownership | undefined =>
  overrides.get(field)?.ownership

/** @param put writes a value; null removes the field from what is sent. */
export function layOver(
  overrides: ReadonlyMap<string, FieldOverride>,
  put: (field: string, value: string | null) => void,
): void {
  for (const [field, { value }] of overrides) if (value !== undefined) put(field, value)
}
