/**
 * A field that says whose a record is takes people of the CRM alone. The CRM knows them by ids, everybody else by their e-mail
 * addresses; so it is a restricted list like any other, whose labels are the addresses.
 */
import type { CrmField, OutgoingLead } from './contract.ts'

export interface Owner {
  readonly id: string
  readonly email: string | null
}

/** @param owners those who may own records now; null where the app may not ask for them: any id may be one. */
export function withOwners(field: CrmField, owners: readonly Owner[] | null): CrmField {
  if (owners === null) return { ...field, allowed: null }
  const named = owners.flatMap(({ id, email }) => (email === null ? [] : [[email, id] as const]))
  return { ...field, allowed: owners.map(({ id }) => id), labels: { ...Object.fromEntries(named), ...field.labels } }
}

/** What mappings of these leads say of such fields: the CRM is asked for its people only then. @param fields as `describe` names them. */
export const ownersNamed = (leads: readonly OutgoingLead[], fields: ReadonlySet<string>): readonly string[] =>
  leads.flatMap(({ overrides = [] }) =>
    overrides.flatMap(({ field, value }) => (value && fields.has(field) ? [value.trim()] : [])),
  )

/** Ids are believed where the app may not ask for the people; what is none would be refused with its whole lead. */
export const ownersAmong = (named: readonly string[]): Owner[] =>
  [...new Set(named)].filter((text) => /^\d+$/.test(text)).map((id) => ({ id, email: null }))
