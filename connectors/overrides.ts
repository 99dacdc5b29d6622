/**
 * What a destination's own mapping says of a lead's fields is laid over what the connector made of them. Pure; the field that
 * holds the registry's identity is the caller's to keep.
 */
import type { CrmField, FieldOverride, OutgoingLead, Ownership } from './contract.ts'

/** @param nameOf the connector's own name of a field; null where the lead's record has none of that name. */
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

/** Says of the field that the connector keeps for itself what it is. */
export const withIdentity = (fields: readonly CrmField[], isIdentity: (name: string) => boolean): CrmField[] =>
  fields.map((field) => (isIdentity(field.name) ? { ...field, isIdentity: true } : field))

/** Whose a field is by the mapping; undefined where it says nothing. */
export const ownershipOf = (overrides: ReadonlyMap<string, FieldOverride>, field: string): Ownership | undefined =>
  overrides.get(field)?.ownership

/** @param put writes a value; null takes the field out of what is sent. */
export function layOver(
  overrides: ReadonlyMap<string, FieldOverride>,
  put: (field: string, value: string | null) => void,
): void {
  for (const [field, { value }] of overrides) if (value !== undefined) put(field, value)
}
