/** Narrows a query's conditions on names by the words that occur in names, each as tsquery text. */
import type { Queryable } from '../../db/db.ts'
import type { EntityType } from '../../domain/identity.ts'
import { lexeme, wordsHolding } from '../names/name-words.ts'
import type { RegisterState } from '../paging/total-cache.ts'
import type { NamePiece } from './pieces.ts'

/** Shorter pieces have no trigram to search by. */
const pieceLengthMin = 3
/** Each piece of a query costs two short reads; further ones are searched in all remaining names. */
const piecesMax = 8

/**
 * The narrowing of each name condition, by its name, if the words are those of the register's current version: a
 * missing word would hide names.
 */
export async function readNarrowings(
  tx: Queryable,
  entity: EntityType,
  pieces: readonly NamePiece[],
  { version, wordsVersion }: RegisterState,
): Promise<ReadonlyMap<string, string | null>> {
  const found = new Map<string, string | null>()
  if (version !== wordsVersion) return found
  for (const piece of pieces.slice(0, piecesMax)) found.set(piece.name, await chooseNarrowing(tx, entity, piece))
  return found
}

/**
 * The condition that the words of every matching name meet: inner words are complete, the first is the end of a word,
 * the last (unless it ends the name) the beginning of one.
 */
async function chooseNarrowing(tx: Queryable, entity: EntityType, { op, text }: NamePiece): Promise<string | null> {
  const [row] = await tx.query<{ key: string }>('SELECT registry.name_key($1) AS key', [text])
  const parts = (row?.key ?? '').split(' ')
  // Other characters may split a word depending on their neighbours; these do so only after a digit.
  if (!parts.every((part) => /^[a-z0-9]+$/.test(part))) return null
  const [first = '', ...others] = parts
  const last = others.length
  const terms = others.flatMap((part, index) => {
    const isWhole = op === 'ENDS_WITH' || index + 1 < last
    return /^[a-z]/.test(part) && (isWhole || part.length >= pieceLengthMin) ? [lexeme(part, !isWhole)] : []
  })
  const mayGoOn = op === 'CONTAINS' && last === 0
  const held =
    first.length >= pieceLengthMin ? await wordsHolding(tx, entity, `%${first}${mayGoOn ? '%' : ''}`, first) : []
  return [...held, ...terms].join(' & ') || null
}
