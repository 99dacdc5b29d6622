/** What a reading without staging tells of records is what the server says of their staged cells. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import fc from 'fast-check'
import { from as copyFrom } from 'pg-copy-streams'
import { expect, test } from 'vitest'
import { nic } from '../../../config/sources/nic.ts'
import { contentOf, planCheck } from '../../../src/ingest/check/plan-check.ts'
import { csvRecord } from '../../../src/ingest/csv.ts'
import { ContentReader } from '../../../src/ingest/stage/contents.ts'
import { DateTally } from '../../../src/ingest/stage/date-tally.ts'
import { matchHeader } from '../../../src/ingest/stage/header.ts'
import { useTestDatabase } from '../../support/database.ts'
import { draws } from '../../support/figures.ts'

const database = useTestDatabase()

const columns = 4
const positions = new Map([
  ['b', 3],
  ['a', 1],
  ['day', 4],
])
const cell = fc.oneof(
  fc.constantFrom(
    '',
    '""',
    ' ',
    '25/03/2020',
    '2020-03-25',
    '2020-03-25 10:00',
    '3/4/20',
    "o'k",
    '\\.',
    'é',
    '🌶',
    '"a,b"',
  ),
  fc.constantFrom('"say ""x"""', '"two\nlines"', '""""', '""""""', '"a\r\nb"'),
  // Every length of a last word, and more than one word of twelve bytes.
  fc.integer({ min: 1, max: 40 }).map((length) => 'abcdefghijklmnopqrstuvwxyz0123456789ABCD'.slice(0, length)),
  fc.stringMatching(/^[ -!#-+\--~]{1,40}$/),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => csvRecord([text.replaceAll('\0', '')], '')),
)
const record = fc.array(cell, { minLength: columns, maxLength: columns }).filter((cells) => cells.join('') !== '')

test('the content of a record is what the server hashes its cells to, and days without the year first are counted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 30 }),
      fc.constantFrom('\n', '\r\n'),
      async (records, lineEnd) => {
        const lines = records.map((cells) => Buffer.from(cells.join(',') + lineEnd))
        const ends = lines.map((_, index) => lines.slice(0, index + 1).reduce((sum, line) => sum + line.length, 0))
        const tally = new DateTally(new Map([['day', 4]]))
        const reader = new ContentReader([1, 3, 4], tally, lineEnd.length)
        const rows = reader.rows({ bytes: Buffer.concat(lines), ends, ordinal: 2 ** 33 })
        const told = records.map((_, index) => ({
          ordinal: Number(rows.readBigInt64BE(index * 26 + 6)),
          content: rows.readBigInt64BE(index * 26 + 18).toString(),
        }))
        const found = await database.db.transaction(async (tx) => {
          await tx.execute(
            'CREATE TEMPORARY TABLE staged (place bigint GENERATED ALWAYS AS IDENTITY, c1 text, c2 text, c3 text, c4 text) ON COMMIT DROP',
          )
          const copy = copyFrom('COPY staged (c1, c2, c3, c4) FROM STDIN WITH (FORMAT csv)')
          await pipeline(Readable.from(lines), tx.client.query(copy))
          const hashed = await tx.query<{ ordinal: number; content: string }>(
            `SELECT place - 1 + 8589934592 AS ordinal, ${contentOf(positions)}::text AS content FROM staged s ORDER BY place`,
          )
          const days = await tx.query<{ cell: string; count: number }>(
            `SELECT c4 AS cell, count(*) AS count FROM staged WHERE c4 NOT LIKE '____-__-__%' GROUP BY c4`,
          )
          return { hashed, days }
        })
        expect(told).toEqual(found.hashed)
        const dates = tally.end()
        const counted = new Map(dates?.cells.map((text, index) => [text, dates.counts[index]]))
        for (const { cell: day, count } of found.days) expect(counted.get(day)).toBe(count)
      },
    ),
    { numRuns: draws(60) },
  )
}, 120_000)

test('half a million contents have as many fingerprints: a changed row is never taken for that of another record', async () => {
  const match = matchHeader(nic, ['code', 'level', 'section', 'division', 'description'], 'nic.csv')
  const dates = { fields: [], cells: [], counts: [] }
  const { fingerprintOfContent } = await planCheck(database.db, nic, match, { dates }, 'ingest.stage_0')
  const [found] = await database.db.query(
    `SELECT count(DISTINCT ${fingerprintOfContent})
     FROM (SELECT hash_record_extended(ROW(n::text), 0) AS content FROM generate_series(1, 500000) AS n) s`,
  )
  expect(found).toEqual({ count: 500_000 })
})
