/**
 * Fields for the owner of a record accept only users of the CRM. The CRM identifies them by id, everyone else by
 * e-mail address; so such a field is treated as a restricted list whose labels are the addresses.
 */
import type { CrmField, OutgoingLead } from './contract.ts'

export interface Owner {
  readonly id: string
  /** An e-mail address, or another name that the CRM uses. */
  readonly names: readonly string[]
}

/** @param owners users who may own records now; null if the app may not list them: then any id is accepted. */
export function withOwners(field: CrmField, owners: readonly Owner[] | null): CrmField {
  if (owners === null) return { ...field, allowed: null }
  const holders = new Map<string, Set<string>>()
  for (const { id, names } of owners)
    for (const name of names) holders.set(name.toLowerCase(), (holders.get(name.toLowerCase()) ?? new Set()).add(id))
  // A name that several users share is ambiguous and left out.
  const named = owners.flatMap(({ id, names }) =>
    names.filter((name) => holders.get(name.toLowerCase())?.size === 1).map((name) => [name, id] as const),
  )
  const ids = new Map(named.map(([name, id]) => [name.toLowerCase(), id]))
  // The customer's own table, such as one by state, names users as a mapping does.
  const meant = Object.entries(field.labels ?? {}).map(
    ([text, who]) => [text, ids.get(who.toLowerCase()) ?? who] as const,
  )
  const labels = Object.fromEntries([...named, ...meant])
  return { ...field, allowed: owners.map(({ id }) => id), labels }
}

/**
 * Owners named by the mappings of these leads: users are only listed if there are any. @param fields as `describe`
 * names them.
 */
export const ownersNamed = (leads: readonly OutgoingLead[], fields: ReadonlySet<string>): readonly string[] =>
  leads.flatMap(({ overrides = [] }) =>
    overrides.flatMap(({ field, value }) => (value && fields.has(field) ? [value.trim()] : [])),
  )

/** The owner that the customer's table assigns to a text; otherwise the text itself. */
export function meantBy({ labels = {} }: CrmField, text: string): string {
  const entry = Object.entries(labels).find(([label]) => label.toLowerCase() === text.toLowerCase())
  return entry?.[1] ?? text
}

/** If the app may not list users, ids are trusted; anything else would make the CRM refuse the whole lead. */
export const ownersAmong = (named: readonly string[], isId = /^\d+$/): Owner[] =>
  [...new Set(named)].filter((text) => isId.test(text)).map((id) => ({ id, names: [] }))
