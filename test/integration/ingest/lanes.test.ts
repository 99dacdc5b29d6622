import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listRejects, type RunRecord } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyTables } from '../../support/empty-tables.ts'
import { draws } from '../../support/figures.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)
const columns = ['entity', 'identifier', 'email', 'mobile', 'phone', 'website', 'origin']

/** Text as dirty as cells get, without what ends a record outside quotes. */
const cell = fc.oneof(
  fc.stringMatching(/^[a-z0-9 .@]{0,12}$/),
  fc.constantFrom(
    '',
    ' ',
    'NA',
    'a,b',
    'say "x"',
    'two\nlines',
    'é',
    'â€™',
    '\uFFFDx80x99s',
    'tab\there',
    '\\.',
    "o'k",
    '="7"',
  ),
)
const row = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.array(cell, { minLength: 5, maxLength: 5 }))
/** Lines that no writer of CSV would write; none pairs its quotes with a neighbour's. */
const dirt = fc.constantFrom(
  'company,too,short',
  'company,1,2,3,4,5,6,7,8',
  'director,12,un"quoted,,,,x',
  'director,13,"closed"badly,,,,x',
  'director,14,a,b,c,d,e,,',
  'director,17, "a, b" ,="c, d",,,x',
  ' ,,\t,,,,',
  'director,16,"two\nlines",b,c,d,e,',
  'director,15,nul\0byte,,,,x',
  '',
)
const content = fc.array(fc.oneof({ weight: 5, arbitrary: row }, dirt), { minLength: 1, maxLength: 40 })

let sequence = 0
async function rowsOf(bytes: Buffer, tolerantOnly: boolean, lineEnd: string) {
  await emptyTables(database.db, ['registry.contact', 'ingest.change'])
  const name = `lanes-${++sequence}.csv`
  const run = await ingest('contacts', file(name, bytes), { force: true, deps: { tolerantOnly } }).catch(
    (error: unknown) => {
      // A file of blank lines alone has no record; both lanes must say so.
      expect(error).toMatchObject({ code: 'SOURCE_UNREADABLE' })
      return undefined
    },
  )
  if (!run) return { run: undefined, rows: [], rejects: [], lineEnd }
  const rows = await database.db.query(
    'SELECT id, email, mobile, phone, website, origin FROM registry.contact ORDER BY id',
  )
  return { run, rows, rejects: await listRejects(database.db, run.run_id), lineEnd }
}
const counts = (run: RunRecord | undefined) =>
  run && [run.rows_read, run.inserted, run.rejected, run.report['repaired']]

test('the raw lane and the tolerant lane give the same rows and the same rejects', async () => {
  await fc.assert(
    fc.asyncProperty(
      content,
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.constantFrom('utf8', 'latin1'),
      async (lines, lineEnd, encoding) => {
        const written = lines.map((line) =>
          typeof line === 'string'
            ? line + lineEnd
            : stringify([['director', String(line[0]), ...line[1]]], { record_delimiter: lineEnd }),
        )
        const bytes = Buffer.from(columns.join(',') + lineEnd + written.join(''), encoding as BufferEncoding)
        const raw = await rowsOf(bytes, false, lineEnd)
        const tolerant = await rowsOf(bytes, true, lineEnd)
        expect(raw.rows).toEqual(tolerant.rows)
        expect(raw.rejects.map(({ line, code }) => [line, code])).toEqual(
          tolerant.rejects.map(({ line, code }) => [line, code]),
        )
        expect(counts(raw.run)).toEqual(counts(tolerant.run))
      },
    ),
    { numRuns: draws(40) },
  )
}, 120_000)

test('well-formed CSV gives exactly the cells that csv-parse reads', async () => {
  const unique = fc.uniqueArray(row, { minLength: 1, maxLength: 40, selector: ([id]) => id })
  await fc.assert(
    fc.asyncProperty(unique, async (lines) => {
      const text = stringify([
        columns,
        ...lines.map(([id, cells]) => ['director', String(id), '', '', '', '', cells[0]]),
      ])
      await emptyTables(database.db, ['registry.contact', 'ingest.change'])
      const run = await ingest('contacts', file(`whole-${++sequence}.csv`, text), { force: true })
      expect(run).toMatchObject({ rows_read: lines.length, inserted: lines.length, rejected: 0 })
      const expected = (parse(text, { columns: true }) as Record<string, string>[]).map((record) => ({
        identifier: record['identifier']?.padStart(8, '0'),
        origin: meant(record['origin'] ?? ''),
      }))
      const rows = await database.db.query('SELECT identifier, origin FROM registry.contact ORDER BY identifier')
      expect(rows).toEqual(expected.toSorted((a, b) => Number(a.identifier) - Number(b.identifier)))
    }),
    { numRuns: draws(40) },
  )
}, 120_000)

/** What a cell means once its broken characters are repaired, it stands on one line, and NA and blanks are nothing. */
function meant(text: string): string | null {
  const repaired = text
    .replaceAll('\uFFFDx80x99', "'")
    .replaceAll('â€™', '’')
    .replace(/^="(.*)"$/, '$1')
    .replaceAll('\n', ' ')
    .trim()
  return ['', 'NA', '.'].includes(repaired.toUpperCase()) ? null : repaired
}
