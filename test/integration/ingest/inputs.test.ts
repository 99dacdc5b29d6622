import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { crc32, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { isPrivate } from '../../../src/ingest/fetch/download.ts'
import { useTestDatabase } from '../../support/database.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)
const good = readFileSync(registryFixture('mca-companies-six-columns.csv'))
const loopback = { deps: { allowPrivateSources: true } }

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A zip of one stored member, with the checksum given. */
function zipOf(name: string, content: Buffer, checksum = crc32(content)): Buffer {
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(20, 4)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(20, 6)
  for (const [header, at] of [
    [local, 14],
    [central, 16],
  ] as const) {
    header.writeUInt32LE(checksum, at)
    header.writeUInt32LE(content.length, at + 4)
    header.writeUInt32LE(content.length, at + 8)
    header.writeUInt16LE(name.length, at + 12)
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length + name.length, 12)
  end.writeUInt32LE(local.length + name.length + content.length, 16)
  return Buffer.concat([local, Buffer.from(name), content, central, Buffer.from(name), end])
}

test('a zip of one file and a file: address give the rows of the file', async () => {
  const zipped = await ingest('mca-companies', file('good.zip', zipOf('companies.csv', good)))
  expect(zipped).toMatchObject({ status: 'succeeded', rows_read: 3, inserted: 3 })
  const address = pathToFileURL(file('good.csv', good)).href
  expect(await ingest('mca-companies', address)).toMatchObject({ status: 'succeeded', unchanged: 3 })
})

test('a zip whose content does not agree with its checksum is refused', async () => {
  const path = file('rotten.zip', zipOf('companies.csv', good, 1))
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

test.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '192.168.1.1', '::1', '::ffff:127.0.0.1', 'fd00::1', 'fe80::1'])(
  '%s is a private address',
  (address) => expect(isPrivate(address)).toBe(true),
)
test.each(['8.8.8.8', '2606:4700::1'])('%s is a public address', (address) => expect(isPrivate(address)).toBe(false))
