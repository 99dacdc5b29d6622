/** Which of these values may not leave: asked of the list in one statement, so that what was added last counts at once. */
import type { Queryable } from '../db/db.ts'
import type { SuppressionKind } from '../domain/objection.ts'

export interface Personal {
  readonly kind: SuppressionKind
  /** As a register or a lead has it. */
  readonly value: string
}

/** How a value stands in the answer. */
export const markOf = (kind: SuppressionKind, value: string): string => `${kind}:${value}`

export async function suppressedAmong(db: Queryable, values: readonly Personal[]): Promise<ReadonlySet<string>> {
  if (values.length === 0) return new Set()
  const unique = [...new Map(values.map((each) => [markOf(each.kind, each.value), each])).values()]
  const rows = await db.query<Personal>(
    `SELECT kind, value FROM unnest($1::text[], $2::text[]) AS asked (kind, value)
     WHERE access.suppressed(kind, value)`,
    [unique.map(({ kind }) => kind), unique.map(({ value }) => value)],
  )
  return new Set(rows.map(({ kind, value }) => markOf(kind, value)))
}
