/**
 * A field that says whose a record is takes people of the CRM alone. The CRM knows them by ids, everybody else by their e-mail
 * addresses; so it is a restricted list like any other, whose labels are the addresses.
 */
import type { CrmField, OutgoingLead } from './contract.ts'

export interface Owner {
  readonly id: string
  /** An e-mail address, or what else the CRM calls them. */
  readonly names: readonly string[]
}

/** @param owners those who may own records now; null where the app may not ask for them: any id may be one. */
export function withOwners(field: CrmField, owners: readonly Owner[] | null): CrmField {
  if (owners === null) return { ...field, allowed: null }
  const holders = new Map<string, Set<string>>()
  for (const { id, names } of owners)
    for (const name of names) holders.set(name.toLowerCase(), (holders.get(name.toLowerCase()) ?? new Set()).add(id))
  // What several are called says nothing of whom is meant.
  const named = owners.flatMap(({ id, names }) =>
    names.filter((name) => holders.get(name.toLowerCase())?.size === 1).map((name) => [name, id] as const),
  )
  const ids = new Map(named.map(([name, id]) => [name.toLowerCase(), id]))
  // A customer's table, such as of states, names people as a mapping does.
  const meant = Object.entries(field.labels ?? {}).map(
    ([text, who]) => [text, ids.get(who.toLowerCase()) ?? who] as const,
  )
  const labels = Object.fromEntries([...named, ...meant])
  return { ...field, allowed: owners.map(({ id }) => id), labels }
}

/** Whom mappings of these leads name in such fields: the CRM is asked for its people only then. @param fields as `describe` names them. */
export const ownersNamed = (leads: readonly OutgoingLead[], fields: ReadonlySet<string>): readonly string[] =>
  leads.flatMap(({ overrides = [] }) =>
    overrides.flatMap(({ field, value }) => (value && fields.has(field) ? [value.trim()] : [])),
  )

/** Whom the customer's table means by a text; else the text itself. */
export function meantBy({ labels = {} }: CrmField, text: string): string {
  const said = Object.entries(labels).find(([label]) => label.toLowerCase() === text.toLowerCase())
  return said?.[1] ?? text
}

/** Ids are believed where the app may not ask for the people; what is none would be refused with its whole lead. */
export const ownersAmong = (named: readonly string[], isId = /^\d+$/): Owner[] =>
  [...new Set(named)].filter((text) => isId.test(text)).map((id) => ({ id, names: [] }))
