/** Which of these values are suppressed. Reads the list in one statement, so that the latest entries apply at once. */
import type { Queryable } from '../db/db.ts'
import type { SuppressionKind } from '../domain/objection.ts'

export interface Personal {
  readonly kind: SuppressionKind
  /** As in a register or a lead. */
  readonly value: string
}

/** The form of a value in the result. */
export const markOf = (kind: SuppressionKind, value: string): string => `${kind}:${value}`

export async function suppressedAmong(db: Queryable, values: readonly Personal[]): Promise<ReadonlySet<string>> {
  if (values.length === 0) return new Set()
  const unique = [...new Map(values.map((each) => [markOf(each.kind, each.value), each])).values()]
  const rows = await db.query<Personal>(
    `SELECT kind, value FROM unnest($1::text[], $2::text[]) AS requested (kind, value)
     WHERE access.suppressed(kind, value)`,
    [unique.map(({ kind }) => kind), unique.map(({ value }) => value)],
  )
  return new Set(rows.map(({ kind, value }) => markOf(kind, value)))
}
