/** The conditions of a query on names, narrowed by the words that names are made of: each as the text of a tsquery. */
import type { Queryable } from '../../db/db.ts'
import type { EntityType } from '../../domain/identity.ts'
import { lexeme, wordsHolding } from '../names/name-words.ts'
import type { RegisterState } from '../paging/total-cache.ts'
import type { NamePiece } from './pieces.ts'

/** Shorter pieces have no trigram to be found by. */
const pieceLengthMin = 3
/** Each piece of a query costs two short reads; the others are looked for in every name that is left. */
const piecesMax = 8

/**
 * The narrowing of each name condition by its name, where the words are those of the register's present version: a word
 * too few would hide names.
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
 * What the words of every name satisfy that holds the piece: the inner words are whole, the first is the end of a word,
 * the last (where the name goes on) the beginning of one.
 */
async function chooseNarrowing(tx: Queryable, entity: EntityType, { op, text }: NamePiece): Promise<string | null> {
  const [row] = await tx.query<{ key: string }>('SELECT registry.name_key($1) AS key', [text])
  const parts = (row?.key ?? '').split(' ')
  // Other characters may cut a word in two where its neighbours decide; these do so only after a digit.
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
