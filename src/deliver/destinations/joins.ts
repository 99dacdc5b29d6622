/**
 * Lists, campaigns and tags that a mapping names: how many leads would join each, and which permissions the CRM user
 * lacks for it. Writes nothing.
 */
import type { CrmField, CrmSession, Join, OutgoingLead } from '../../../connectors/contract.ts'
import type { FieldMapping } from './field-mapping.ts'

export interface CountedJoin extends Join {
  readonly leads: number
}

/** Most joins reported, those with the most leads first. */
const reportedMax = 100

export async function countJoins(session: CrmSession, leads: readonly OutgoingLead[]): Promise<CountedJoin[]> {
  if (leads.length === 0) return []
  const counts = new Map<string, CountedJoin>()
  for (const join of (await session.joins?.foresee(leads)) ?? []) {
    const key = JSON.stringify([join.field, join.value])
    counts.set(key, { ...join, leads: (counts.get(key)?.leads ?? 0) + 1 })
  }
  return [...counts.values()].sort((one, other) => other.leads - one.leads).slice(0, reportedMax)
}

/** @returns null if the mapping joins nothing, otherwise sentences on what a person must do first. */
export async function missingForJoins(
  session: CrmSession,
  mapping: readonly FieldMapping[],
  fields: readonly CrmField[],
): Promise<readonly string[] | null> {
  const joined = new Set(fields.flatMap(({ name, isJoined }) => (isJoined ? [name] : [])))
  const named = [...new Set(mapping.flatMap(({ field }) => (joined.has(field) ? [field] : [])))]
  return named.length === 0 ? null : ((await session.joins?.missingRights(named)) ?? [])
}
