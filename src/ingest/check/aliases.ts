/** Copies the vocabularies from config into ingest.alias, which the checks join. Writes only differences. */
import { vocabularies } from '../../../config/vocabularies.ts'
import type { Tx } from '../../db/db.ts'
import { countries } from '../../domain/countries.ts'
import { states } from '../../domain/states.ts'
import { wordKey } from '../../domain/word-key.ts'
import { gatherStatistics } from '../run/work-tables.ts'

interface Alias {
  readonly kind: string
  /** The result of ingest.word_key; for kinds named `exact …`, the spelling itself. */
  readonly key: string
  readonly value: string
}

export function listAliases(): Alias[] {
  const fromStates = states.flatMap(({ name, aliases, gstCodes, letters }) => [
    ...[name, ...aliases, ...letters].flatMap((word) => spellingsOf('state', word, name)),
    ...gstCodes.map((code) => ({ kind: 'state-code', key: code, value: name })),
    ...letters.map((pair) => ({ kind: 'registrar-letters', key: pair, value: name })),
  ])
  const fromCountries = countries.flatMap(({ name, spellings }) =>
    spellings.flatMap((word) => spellingsOf('country', word, name)),
  )
  const fromVocabularies = Object.entries(vocabularies).flatMap(([kind, words]) =>
    Object.entries<readonly string[]>(words).flatMap(([value, spellings]) =>
      spellings.flatMap((spelling) => spellingsOf(kind, spelling, value)),
    ),
  )
  const byKey = new Map(
    [...fromStates, ...fromCountries, ...fromVocabularies].map((alias) => [`${alias.kind} ${alias.key}`, alias]),
  )
  return [...byKey.values()]
}

function spellingsOf(kind: string, word: string, value: string): Alias[] {
  const exact = new Set([word, word.toLowerCase(), word.toUpperCase()])
  return [
    { kind, key: wordKey(word), value },
    ...[...exact].map((spelling) => ({ kind: `exact ${kind}`, key: spelling, value })),
  ]
}

export async function syncAliases(tx: Tx): Promise<void> {
  const aliases = listAliases()
  const bound = [aliases.map(({ kind }) => kind), aliases.map(({ key }) => key), aliases.map(({ value }) => value)]
  // Runs of two sources may copy concurrently; both write the same rows.
  await tx.execute('LOCK TABLE ingest.alias IN SHARE ROW EXCLUSIVE MODE')
  const changed = await tx.execute(
    `MERGE INTO ingest.alias AS a
     USING (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS given(kind, key, value)) AS g
     ON a.kind = g.kind AND a.key = g.key
     WHEN MATCHED AND a.value <> g.value THEN UPDATE SET value = g.value
     WHEN NOT MATCHED THEN INSERT (kind, key, value) VALUES (g.kind, g.key, g.value)`,
    bound,
  )
  const removed = await tx.execute(
    `DELETE FROM ingest.alias a WHERE NOT EXISTS (
       SELECT FROM unnest($1::text[], $2::text[]) AS given(kind, key) WHERE given.kind = a.kind AND given.key = a.key)`,
    bound.slice(0, 2),
  )
  if (changed + removed > 0) await gatherStatistics(tx, 'ingest.alias')
}
