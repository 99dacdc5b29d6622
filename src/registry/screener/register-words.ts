/** Fills in the parts of a compiled query that the register's words speed up. Does not change its result. */
import type { Queryable } from '../../db/db.ts'
import type { RegisterState } from '../paging/total-cache.ts'
import type { ScreenerType } from './fields.ts'
import { readNarrowings } from './name-pieces.ts'
import { type CompiledQuery, filledIn } from './pieces.ts'
import { readWordsMeant } from './word-pieces.ts'

export async function withRegisterWords<R extends CompiledQuery>(
  tx: Queryable,
  type: ScreenerType,
  read: R,
  state: RegisterState,
): Promise<R> {
  const narrowings = await readNarrowings(tx, type, read.namePieces, state)
  const words = await readWordsMeant(tx, type, read.wordPieces, state)
  return { ...read, values: filledIn(read, new Map<string, unknown>([...narrowings, ...words])) }
}
