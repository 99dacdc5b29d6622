/** The words of a phrase that come from the registers and the reference lists: districts and industries. */
import type { Queryable } from '../../db/db.ts'
import { indianDayOf } from '../../domain/iso-date.ts'
import { heldWords } from '../words/word-counts.ts'
import { placesOf } from './places.ts'
import type { Vocabularies } from './scan.ts'
import { tokensOf } from './tokens.ts'

/** A word that occurs in more descriptions, such as `other` or `activities`, does not name an industry. */
const descriptionsMax = 60
const lettersMin = 4

export async function vocabulariesFor(db: Queryable, phrase: string): Promise<Vocabularies> {
  const words = tokensOf(phrase).flatMap(({ kind, text }) =>
    kind === 'word' && text.length >= lettersMin ? [text] : [],
  )
  const districts = [...(await heldWords(db, 'company', 'district')), ...(await heldWords(db, 'gst', 'district'))]
  const industries = words.length === 0 ? new Set<string>() : await industriesAmong(db, words)
  return {
    places: placesOf(districts.map(({ word }) => word)),
    isIndustry: (word) => industries.has(word),
    today: indianDayOf(new Date()),
  }
}

/** @returns those that occur in NIC descriptions, as they are or with an s. */
async function industriesAmong(db: Queryable, words: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ word: string }>(
    `SELECT asked.word FROM unnest($1::text[]) AS asked (word)
     JOIN (SELECT DISTINCT r.id, part.word FROM reference.nic r
           CROSS JOIN LATERAL regexp_split_to_table(lower(r.description), '[^a-z]+') AS part (word)
           WHERE r.closed_on IS NULL) held ON held.word IN (asked.word, asked.word || 's')
     GROUP BY asked.word HAVING count(DISTINCT held.id) <= $2`,
    [[...new Set(words)], descriptionsMax],
  )
  return new Set(rows.map(({ word }) => word))
}
