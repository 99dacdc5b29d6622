/**
 * What a run would write, by partition and with examples, determined by the statements that would write it; nothing is
 * changed.
 */
import type { Tx } from '../../db/db.ts'
import type { Matched } from '../check/match.ts'
import { countSkipped } from './count-skipped.ts'
import { sampleClosed, sampleFound, scopesFound } from './statements/preview.ts'
import type { MergeTarget } from './statements/target.ts'

/** Examples of each kind. */
const samplesMax = 10

export interface Preview {
  /** Why it would need approval; empty if it would be applied. */
  readonly reasons: readonly string[]
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  readonly skipped: number
  readonly closed: number
  readonly scopes: readonly {
    readonly scope: string
    readonly inserted: number
    readonly updated: number
    readonly closed: number
    /** Open records before. */
    readonly open: number | null
  }[]
  /** The first ones by identifier. */
  readonly sample: {
    readonly inserted: readonly { readonly identifier: string; readonly fields: Readonly<Record<string, unknown>> }[]
    readonly updated: readonly {
      readonly identifier: string
      readonly changes: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[]
    }[]
    readonly closed: readonly {
      readonly identifier: string
      readonly scope: string
      readonly fields: Readonly<Record<string, unknown>>
    }[]
  }
}

export interface PreviewInput {
  readonly runId: number
  readonly asOf: string
  readonly rowsRead: number
  readonly rejected: number
  readonly matched: Matched | undefined
  readonly staleScopes: readonly string[]
  readonly reasons: readonly string[]
  readonly closings: readonly { readonly scope: string; readonly closing: number; readonly open: number }[]
  /** False for a delta, which closes nothing. */
  readonly closes: boolean
}

type Values = Readonly<Record<string, unknown>>

export async function readPreview(tx: Tx, target: MergeTarget, input: PreviewInput): Promise<Preview> {
  const values = [input.runId, input.asOf, input.staleScopes]
  const found = await tx.query<{ scope: string; inserted: number; updated: number }>(scopesFound(target), values)
  const rows = await tx.query<{ identifier: string; fields: Values | null; before: Values; after: Values }>(
    sampleFound(target),
    [...values, samplesMax],
  )
  const closed = input.closes
    ? await tx.query<{ identifier: string; scope: string; fields: Values }>(sampleClosed(target), [samplesMax])
    : []
  const names = [...new Set([...found, ...input.closings].map(({ scope }) => scope))].sort()
  const scopes = names.map((scope) => {
    const { inserted = 0, updated = 0 } = found.find((each) => each.scope === scope) ?? {}
    const closing = input.closings.find((each) => each.scope === scope)
    return { scope, inserted, updated, closed: closing?.closing ?? 0, open: closing?.open ?? null }
  })
  const sum = (of: 'inserted' | 'updated' | 'closed') => scopes.reduce((total, each) => total + each[of], 0)
  const { rows: skipped } = await countSkipped(tx, target, input, input.staleScopes)
  const written = sum('inserted') + sum('updated')
  return {
    reasons: input.reasons,
    inserted: sum('inserted'),
    updated: sum('updated'),
    unchanged: input.rowsRead - input.rejected - written - skipped,
    skipped,
    closed: sum('closed'),
    scopes,
    sample: {
      inserted: rows.flatMap(({ identifier, fields }) => (fields ? [{ identifier, fields }] : [])),
      updated: rows.flatMap(({ identifier, fields, before, after }) =>
        fields
          ? []
          : [
              {
                identifier,
                changes: Object.entries(after).map(([field, value]) => ({
                  field,
                  before: before[field] ?? null,
                  after: value,
                })),
              },
            ],
      ),
      closed,
    },
  }
}
