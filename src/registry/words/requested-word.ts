/**
 * Resolves a word in a feed's or filter's parameter, in any spelling, to all matching spellings, in lower case. A word
 * that no record contains is rejected with the nearest one, because an empty page would not say what is wrong.
 */

import { type Vocabulary, wordColumns } from '../../../config/vocabularies.ts'
import type { Db, Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { EntityType } from '../../domain/identity.ts'
import { placeKey } from '../../domain/scope.ts'
import { wordKey } from '../../domain/word-key.ts'
import { AppError } from '../../errors.ts'
import { boundedRead } from '../paging/bounded-read.ts'
import { registerState } from '../paging/total-cache.ts'
import { registerTables } from '../register-table.ts'
import { heldWords, isHeld, isSpelledSo, isUnfilled } from './word-counts.ts'
import { readWord, spellingsOf, wordLike, wordsOf } from './words.ts'

export interface RequestedWord {
  readonly entity: EntityType
  /** One of the entity's wordColumns. */
  readonly column: string
  /** The parameter's name as the caller knows it. */
  readonly parameter: string
  readonly text: string
}

/** Longer lists are not shown. */
const shownMax = 40
const textShownMax = 60

/** @throws AppError UNPROCESSABLE naming the parameter, with the nearest word as `suggestion`. */
export async function readMeaning(db: Db, requested: RequestedWord): Promise<readonly string[]> {
  const vocabulary = vocabularyOf(requested)
  const word = vocabulary === null ? undefined : readWord(vocabulary, requested.text)
  if (vocabulary !== null && word !== undefined) return [...new Set(spellingsOf(vocabulary, word).map(placeKey))]
  return boundedRead(db, async (tx) => {
    const meant = await heldMeaning(tx, requested)
    if (meant === undefined) throw await unknownWord(tx, requested)
    return meant
  })
}

/**
 * Of several districts, one with any records is enough: then the page is not unexplainedly empty.
 * @throws AppError UNPROCESSABLE naming the first, with the nearest district as `suggestion`.
 */
export async function refuseUnknownDistricts(
  db: Db,
  entity: EntityType,
  districts: readonly string[] | undefined,
): Promise<void> {
  if (districts === undefined || (await isSpelledSo(db, entity, 'district', districts))) return
  await boundedRead(db, async (tx) => {
    const requested = districts.map(
      (text): RequestedWord => ({ entity, column: 'district', parameter: 'district', text }),
    )
    for (const each of requested) if ((await heldMeaning(tx, each)) !== undefined) return
    const [first] = requested
    if (first) throw await unknownWord(tx, first)
  })
}

function vocabularyOf({ entity, column }: RequestedWord): Vocabulary | null {
  const columns: Readonly<Record<string, Vocabulary | null>> = wordColumns[entity]
  return columns[column] ?? null
}

/** The spellings of the word that records contain, in lower case; undefined if none does, or nothing is known. */
async function heldMeaning(tx: Queryable, { entity, column, text }: RequestedWord): Promise<string[] | undefined> {
  const held = (await heldWords(tx, entity, column)).map((each) => each.word)
  const same = held.filter((each) => wordKey(each) === wordKey(text))
  const isKnown =
    same.length > 0 ||
    (await isHeld(tx, entity, column, text, await registerState(tx, entity))) ||
    (column === 'district' && (await isDistrict(tx, text))) ||
    (await isUnfilled(tx, entity, column))
  return isKnown ? [...new Set([text, ...same].map(placeKey))] : undefined
}

/** A district of the PIN directory exists even if no record is in it. */
async function isDistrict(tx: Queryable, text: string): Promise<boolean> {
  const rows = await tx.query('SELECT 1 FROM reference.pincode WHERE lower(district) = $1 LIMIT 1', [placeKey(text)])
  return rows.length > 0
}

/** Before the register's words are counted: the districts of its records and of the PIN directory. */
async function districts(tx: Queryable, entity: EntityType): Promise<string[]> {
  const rows = await tx.query<{ district: string }>(
    sql`SELECT district FROM ${registerTables[entity].table} r WHERE r.closed_on IS NULL AND district IS NOT NULL GROUP BY district
     UNION SELECT district FROM reference.pincode WHERE district <> '' ORDER BY district`,
  )
  return rows.map(({ district }) => district)
}

async function unknownWord(tx: Queryable, requested: RequestedWord): Promise<AppError> {
  const { entity, column, parameter, text } = requested
  const vocabulary = vocabularyOf(requested)
  const held = (await heldWords(tx, entity, column)).map((each) => each.word)
  const others = column === 'district' && held.length === 0 ? await districts(tx, entity) : held
  const known = [...new Set([...(vocabulary === null ? [] : wordsOf(vocabulary)), ...others])]
  const suggestion = wordLike(vocabulary, text, others)
  const shown = JSON.stringify(text.length > textShownMax ? `${text.slice(0, textShownMax - 1)}…` : text)
  const list = known.length <= shownMax ? ` It is one of ${known.join(', ')}.` : ''
  const hint = suggestion === undefined ? list : ` Write ${suggestion} instead.`
  return new AppError('UNPROCESSABLE', `${parameter}: no record of the register holds ${shown}.${hint}`, {
    extra: { parameter, suggestion: suggestion ?? null, expected: known.length <= shownMax ? known : [] },
  })
}
