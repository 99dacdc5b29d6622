/** Composes the query text from claims: each group at the position of its first claim, joined by AND. */
import { quoted } from '../screener/tokens.ts'
import type { Claim } from './claims.ts'

export function queryOf(claims: readonly Claim[]): string {
  const groups = new Map<string, Claim[]>()
  for (const [place, claim] of claims.entries()) {
    const group = claim.group ?? `alone ${place}`
    groups.set(group, [...(groups.get(group) ?? []), claim])
  }
  return [...groups.values()].map(conditionOf).join(' AND ')
}

function conditionOf(group: readonly Claim[]): string {
  const byField = Map.groupBy(group, ({ field, value, condition }) =>
    value === undefined ? `${field}${condition}` : field,
  )
  const conditions = [...byField.values()].map(ofField)
  return conditions.length > 1 ? `(${conditions.join(' OR ')})` : (conditions[0] ?? '')
}

function ofField(claims: readonly Claim[]): string {
  const [first] = claims
  if (!first) return ''
  const values = [...new Set(claims.flatMap(({ value }) => (value === undefined ? [] : [value])))]
  return values.length > 1 ? `${first.field} IN [${values.map(quoted).join(', ')}]` : `${first.field}${first.condition}`
}
