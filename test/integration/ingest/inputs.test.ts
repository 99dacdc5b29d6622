import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { listRejects } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'
import { zipOf } from '../../support/zip.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)
const good = readFileSync(registryFixture('mca-companies-six-columns.csv'))
const loopback = { deps: { allowPrivateSources: true } }

beforeEach(() => emptyRegisters(database.db))

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a zip of one file and a file: address give the rows of the file', async () => {
  const zipped = await ingest('mca-companies', file('good.zip', zipOf([{ name: 'companies.csv', content: good }])))
  expect(zipped).toMatchObject({ status: 'succeeded', rows_read: 3, inserted: 3 })
  const address = pathToFileURL(file('good.csv', good)).href
  expect(await ingest('mca-companies', address)).toMatchObject({ status: 'succeeded', unchanged: 3 })
})

test.each([
  ['semicolons', ';'],
  ['tabs', '\t'],
  ['bars', '|'],
])(
  'a file whose cells %s separate gives the rows and rejects of the same file with commas',
  async (name, separator) => {
    const rows = parse(good) as string[][]
    const odd = ['U72200KA2019PTC000001', 'SHARMA, "RAM" & SONS LLP', 'Active', '1,00,000.00', '1E+5', 'Private']
    const lines = [...rows, odd, ['bad', ...odd.slice(1)]].map((row) =>
      row.map((cell) => (/[";\t|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator),
    )
    const run = await ingest('mca-companies', file(`${name}.csv`, lines.join('\n')))
    expect(run).toMatchObject({ status: 'succeeded', rows_read: 5, inserted: 4, rejected: 1 })
    expect(await listRejects(database.db, run.run_id)).toMatchObject([{ line: 6, code: 'cin_malformed' }])
    expect(
      await database.db.query('SELECT name, authorised_capital::text AS capital FROM registry.company WHERE cin = $1', [
        odd[0],
      ]),
    ).toEqual([{ name: odd[1], capital: '100000.00' }])
  },
)

const lineEnds = { LF: '\n', CRLF: '\r\n', CR: '\r' }

describe.each(Object.entries(lineEnds))('records that end with %s', (endName, end) => {
  const names = ['TWO\nLINES LIMITED', 'THREE\r\nSHORT\r\nLINES LIMITED', 'OLD\rLINES LIMITED', 'PLAIN LIMITED']
  const cells = (name: string, index: number) => [
    `U72200KA2019PTC00000${index + 1}`,
    name,
    'Active',
    '1',
    '1',
    'Private',
  ]
  const companies = async () =>
    (await database.db.query<{ name: string }>('SELECT name FROM registry.company ORDER BY cin')).map(
      ({ name }) => name,
    )

  /** A row's position, from 0 for the header, decides about what follows its last cell. */
  test.each<[string, (row: number) => string]>([
    ['with nothing behind the last cell', () => ''],
    ["with a separator behind each last cell but the header's", (row) => (row > 0 ? ';' : '')],
    ['with a separator behind some last cells', (row) => (row % 2 === 1 ? ';' : '')],
    ["with separators behind the header's last cell and behind some others", (row) => (row % 2 === 0 ? '; ;' : '')],
  ])(
    '%s give the same rows whatever separates their cells, breaks within quotes and in the header included',
    async (_, trail) => {
      for (const separator of [',', ';']) {
        const rows = [
          ['cin', 'company\rname', 'status', 'authorized\r\ncapital', 'paidup\ncapital', 'class'],
          ...names.map(cells),
        ]
        const lines = rows.map(
          (row, index) =>
            row.map((cell) => (/\s/.test(cell) ? `"${cell}"` : cell)).join(separator) +
            trail(index).replaceAll(';', separator) +
            end,
        )
        await emptyRegisters(database.db)
        const run = await ingest('mca-companies', file(`${endName}.csv`, lines.join('')), {
          mode: 'delta',
          force: true,
        })
        expect(await listRejects(database.db, run.run_id)).toEqual([])
        expect(await companies()).toEqual(names.map((name) => name.replace(/\s+/g, ' ')))
      }
    },
  )

  test('keep the numbers of their lines, in a zip of several files and as JSON Lines', async () => {
    const table = (from: number) =>
      [
        ['cin', 'company_name', 'status', 'authorized_capital', 'paidup_capital', 'class'],
        cells(`"FIRST${end}LINES"`, from),
        cells('SECOND', from + 1),
        ['BAD', ...cells('', 0).slice(1)],
      ]
        .map((row) => row.join(',') + end)
        .join('')
    const members = [
      { name: '1.csv', content: table(0) },
      { name: '2.csv', content: table(2) },
    ]
    const zipped = await ingest('mca-companies', file(`${endName}.zip`, zipOf(members)), { mode: 'delta' })
    expect((await listRejects(database.db, zipped.run_id)).map(({ line }) => line)).toEqual([5, 10])
    const objects = names.map((name, index) =>
      JSON.stringify({
        cin: cells(name, index)[0],
        company_name: name,
        status: 'Active',
        authorized_capital: 1,
        paidup_capital: 1,
        class: 'Private',
      }),
    )
    const json = await ingest('mca-companies', file(`${endName}.jsonl`, [...objects, '{"cin"', ''].join(end)), {
      mode: 'delta',
    })
    expect((await listRejects(database.db, json.run_id)).map(({ line }) => line)).toEqual([5])
    expect(await companies()).toEqual(names.map((name) => name.replaceAll(/\s+/g, ' ')))
  })
})

test('a zip whose content does not agree with its checksum is refused', async () => {
  const path = file('rotten.zip', zipOf([{ name: 'companies.csv', content: good, checksum: 1 }]))
  await expect(ingest('mca-companies', path)).rejects.toMatchObject({
    code: 'SOURCE_CORRUPT',
    message: expect.stringContaining('checksum'),
  })
})

test('a gzip that unpacks to hundreds of times its size is refused', async () => {
  const path = file('bomb.csv.gz', gzipSync(Buffer.concat([good, Buffer.alloc(100 << 20, '\n')])))
  await expect(ingest('mca-companies', path)).rejects.toMatchObject({
    code: 'SOURCE_CORRUPT',
    message: expect.stringContaining('times its size'),
  })
})

test('a file is fetched by http, through redirects, and known again by its content', async () => {
  const base = await serve((request, reply) => {
    if (request.url === '/old') reply.writeHead(302, { location: '/new' }).end()
    else reply.end(`${good.toString('utf8')}U74999MH2020PTC000001,BY WIRE PRIVATE LIMITED,Active,1,1,Private\n`)
  })
  await ingest('mca-companies', file('here.csv', good))
  const run = await ingest('mca-companies', `${base}/old`, loopback)
  expect(run).toMatchObject({ status: 'succeeded', inserted: 1, unchanged: 3 })
  expect(await ingest('mca-companies', `${base}/new`, loopback)).toMatchObject({ status: 'no_op', sha256: run.sha256 })
})

test('an answer that is no file fails the run, and only a passing fault is tried again', async () => {
  const base = await serve((request, reply) => {
    if (request.url === '/loop') reply.writeHead(302, { location: '/loop' }).end()
    else reply.writeHead(request.url === '/busy' ? 503 : 404).end('no')
  })
  const refused = { code: 'SOURCE_UNREADABLE' }
  await expect(ingest('mca-companies', `${base}/gone`, loopback)).rejects.toMatchObject({ ...refused, retry: 'never' })
  await expect(ingest('mca-companies', `${base}/busy`, loopback)).rejects.toMatchObject({ ...refused, retry: 'later' })
  await expect(ingest('mca-companies', `${base}/loop`, loopback)).rejects.toMatchObject(refused)
})
