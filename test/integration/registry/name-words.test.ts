/** Names are looked for through their words where these are known, and found the same as by looking through all names. */
import fc from 'fast-check'
import { pino } from 'pino'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { collectWordsJob } from '../../../jobs/collect-words.ts'
import { collectNameWords } from '../../../src/ingest/after/name-words.ts'
import { explainQuery } from '../../../src/registry/screener/explain.ts'
import { runScreener } from '../../../src/registry/screener/run-screener.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertCompany, insertGst, raiseVersion } from '../../support/registry-rows.ts'

const database = useTestDatabase()
const words = ['sunden', 'sun', 'densun', '2e7ed1zd', '59e6bc7z', 'नमस्ते', 'café', 'x1', 'lim', 'ited', 'a·b', '007']
const name = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((list) => list.join(' '))
const names = fc.sample(name, { seed: 7, numRuns: 150 })
const cin = (index: number) => `U85100GA2022PTC${String(index).padStart(6, '0')}`

beforeAll(async () => {
  for (const [index, each] of names.entries()) await insertCompany(database.db, { cin: cin(index), name: each })
})
beforeEach(async () => {
  await database.db.execute('TRUNCATE registry.name_word, registry.name_word_state')
  await raiseVersion(database.db, 'company')
})

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
async function found(query: string): Promise<string[]> {
  const { results } = await runScreener(database.db, { type: 'company', query, page: 1, limit: 200 })
  return results.map(({ CIN }) => CIN)
}
const pieceOf = fc
  .tuple(fc.constantFrom(...names), fc.nat(20), fc.integer({ min: 1, max: 12 }))
  .map(([text, start, length]) => text.slice(start % text.length, (start % text.length) + length))

test('every piece of a name finds the names that hold it, whether their words are known or not', async () => {
  const pieces = fc.sample(pieceOf, { seed: 8, numRuns: 150 })
  const queries = pieces.flatMap((piece) => ['CONTAINS', 'ENDS_WITH'].map((op) => `company ${op} ${quoted(piece)}`))
  const unknown: string[][] = []
  for (const query of queries) unknown.push(await found(query))
  await collectNameWords(database.as('panji_worker'), 'company')
  for (const [index, query] of queries.entries())
    expect({ query, cins: await found(query) }).toEqual({ query, cins: unknown[index] })
  expect(unknown.some((cins) => cins.length > 0 && cins.length < names.length)).toBe(true)
})

test('words of an older version of the register are not relied on', async () => {
  await collectNameWords(database.as('panji_worker'), 'company')
  expect(await found("company CONTAINS 'lagoon'")).toEqual([])
  await insertCompany(database.db, { cin: cin(999_999), name: 'BLUELAGOON TOURS' })
  await raiseVersion(database.db, 'company')
  expect(await found("company CONTAINS 'lagoon'")).toEqual([cin(999_999)])
  expect((await explainQuery(database.db, 'company', "company CONTAINS 'lagoon'", null)).indexes).toEqual([])
})

test('collecting adds the words of the newest run, and of all names where a version was missed', async () => {
  const { db } = database
  const entered = async (index: number, company: string, runId: number) => {
    await insertCompany(db, { cin: cin(index), name: company, last_run_id: runId })
    await db.execute(
      `INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of) VALUES ('company', $1, $2, 'insert', '2025-10-01')`,
      [cin(index), runId],
    )
    await db.execute(`UPDATE registry.version SET version = version + 1, run_id = $1 WHERE entity = 'company'`, [runId])
  }
  const known = async () =>
    (await db.query<{ word: string }>(`SELECT word FROM registry.name_word WHERE word LIKE 'zeta%' ORDER BY 1`)).map(
      ({ word }) => word,
    )
  await collectNameWords(db, 'company')
  await entered(900_001, 'ZETAONE', 7)
  expect(await collectNameWords(db, 'company')).toEqual({ words: 1 })
  expect(await collectNameWords(db, 'company')).toEqual({ words: 0 })
  await entered(900_002, 'ZETATWO', 9)
  await entered(900_003, 'ZETATHREE', 8)
  expect(await collectNameWords(db, 'company')).toEqual({ words: 2 })
  expect(await known()).toEqual(['zetaone', 'zetathree', 'zetatwo'])
})

test('the job without an entity collects the words of every register', async () => {
  const { db } = database
  await insertGst(db, { gstin: '27AAACR5055K1Z7', trade_name: 'Xenon Bakers' })
  await raiseVersion(db, 'gst')
  const { signal } = new AbortController()
  const queue = { send: async () => 'not needed here' }
  await collectWordsJob.handle({}, { db, queue, signal, attempt: 0, log: pino({ level: 'silent' }) })
  const rows = await db.query<{ entity: string }>('SELECT DISTINCT entity FROM registry.name_word ORDER BY 1')
  expect(rows.map(({ entity }) => entity)).toEqual(['company', 'gst'])
})
