/** Counts several facets of a query: from the stored counts if these can answer, else in one scan of its records. */
import { facets as declared } from '../../../config/facets.ts'
import { sql } from '../../db/sql.ts'
import { registerTables } from '../register-table.ts'
import { boundsHeld, boundsKept, boundsOf } from './facet-bounds.ts'
import type { Facet, FacetGround } from './facet-ground.ts'
import { headingsHeld, headingsKept } from './facet-headings.ts'
import { valuesHeld, valuesKept } from './facet-values.ts'
import { type Asked, type Field, fieldNamed } from './fields.ts'
import { looksAtFew } from './plan.ts'
import { type ReadQuery, readNode } from './read.ts'
import { withRegisterWords } from './register-words.ts'
import { sumKept } from './total.ts'

export interface Look {
  readonly node: Asked
  readonly fields: readonly string[]
  /** The query as requested, whose total the search counted, too. */
  readonly isWhole: boolean
}

/** @throws AppError QUERY_TOO_EXPENSIVE if even the query itself is. */
export async function lookAt(ground: FacetGround, { node, fields, isWhole }: Look): Promise<readonly Facet[]> {
  if (fields.length === 0) return []
  const read = await withRegisterWords(ground.tx, ground.type, readNode(ground.type, node, ground.sold), ground.state)
  const named = fields.flatMap((name) => fieldNamed(ground.type, name) ?? [])
  const valued = named.filter(({ name }) => declared[ground.type].values.includes(name))
  const headed = named.filter(({ name }) => name in declared[ground.type].headings)
  const bounds = boundsOf(ground, named)
  const kept = [...(await valuesKept(ground, read, valued)), ...(await headingsKept(ground, read, headed))]
  const isLeft = ({ name }: Field) => !kept.some(({ field }) => field === name)
  // The search itself had to read all of these records.
  const wasLookedAt = isWhole && sumKept(ground.type, read, () => '') === undefined
  // Unnesting each record's codes is only done for few records.
  const few = (headed.some(isLeft) || !wasLookedAt) && (await isFew(ground, read))
  const headings = few ? await headingsHeld(ground, read, headed.filter(isLeft)) : []
  if (!few && !wasLookedAt) return [...kept, ...(await boundsKept(ground, read, bounds))]
  const values = await valuesHeld(ground, read, valued.filter(isLeft))
  return [...kept, ...values, ...headings, ...(await boundsHeld(ground, read, bounds))]
}

function isFew({ tx, type, state }: FacetGround, { condition, values }: ReadQuery): Promise<boolean> {
  const { table } = registerTables[type]
  const looked = sql`SELECT 1 FROM ${table} r WHERE r.closed_on IS NULL AND ${condition}`
  return looksAtFew(tx, { sql: looked, values, registerRows: state.rows })
}
