/** Inputs that are cut, rotten, followed by something, packed in each other or bombs: refused in words, and nothing is touched. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { constants, createGzip, gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import type { FetchBounds } from '../../config/input-bounds.ts'
import { discardRun } from '../../src/ingest/conduct/approval.ts'
import { companyFile, companyHeader, companyLine } from '../support/company-lines.ts'
import { useTestDatabase } from '../support/database.ts'
import { registerContents, useIngest } from '../support/ingest.ts'
import { type ZipMember, zipOf } from '../support/zip.ts'
import { mebibyte, source, useGoodRegister, useInputWorkers } from './support/inputs.ts'

const database = useTestDatabase()
const setup = useIngest(database)
const { file, folder, ingest } = setup
const { measured } = useInputWorkers(database, setup)
const expectAsBefore = useGoodRegister(database, setup)

let before: Record<string, unknown[]>
beforeEach(async () => {
  before = await registerContents(database.db)
})
const expectUntouched = () => expectAsBefore(before)

async function expectRefused(path: string, message: RegExp, bounds?: Partial<FetchBounds>): Promise<void> {
  const run = ingest(source, path, { force: true, ...(bounds ? { deps: { bounds } } : {}) })
  await expect(run).rejects.toMatchObject({
    code: 'SOURCE_CORRUPT',
    retry: 'never',
    message: expect.stringMatching(message),
  })
  await expectUntouched()
}

describe('what is cut, rotten or followed by something', () => {
  const packed = gzipSync(companyFile(60))
  const rotten = Buffer.from(packed)
  rotten.writeUInt32LE(1, rotten.length - 8)

  test.each<[string, Buffer, RegExp]>([
    ['a gzip that is cut', packed.subarray(0, -20), /cut\.csv\.gz: the gzip data is broken or cut off: it is cut off/],
    ['a gzip that is cut in its last byte', packed.subarray(0, -1), /it is cut off/],
    ['a gzip with a wrong checksum', rotten, /a checksum does not agree/],
    ['a gzip with text behind it', Buffer.concat([packed, Buffer.from('something else')]), /something follows the end/],
    [
      'a gzip with text behind its padding',
      Buffer.concat([packed, Buffer.alloc(1000), Buffer.from('x')]),
      /something follows the end/,
    ],
    ['a second member that is cut', Buffer.concat([packed, packed.subarray(0, 30)]), /it is cut off/],
    ['a gzip in a gzip', gzipSync(packed), /a gzip file lies inside the archive/],
  ])('%s is refused', async (_, content, message) => expectRefused(file('cut.csv.gz', content), message))

  test('members of a gzip that follow each other are one file, padding or not', async () => {
    const halves = [
      `${companyHeader}\n${companyLine(1)}\n${companyLine(2).slice(0, 20)}`,
      `${companyLine(2).slice(20)}\n`,
    ]
    const content = Buffer.concat([...halves.map((half) => gzipSync(half)), Buffer.alloc(512)])
    const run = await ingest(source, file('members.csv.gz', content), { force: true })
    expect(run).toMatchObject({ status: 'succeeded', rows_read: 2, unchanged: 2, rejected: 0 })
    expect(run.sha256).toBe(createHash('sha256').update(content).digest('hex'))
  })

  test('a CSV that is cut closes nothing: it waits for an operator, however little is missing', async () => {
    const fields = 'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyClass,AuthorizedCapital,PaidupCapital'
    const more =
      'CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,nic_code'
    const line = (n: number) =>
      `U74999GA2019PTC${String(n).padStart(6, '0')},GOA ${n} LIMITED,ROC Goa,Company limited by shares,Private,1,1,2019-05-01,"X,Goa,403001-India",Unlisted,Active,goa,74999`
    const text = [`${fields},${more}`, ...Array.from({ length: 40 }, (_, n) => line(n)), ''].join('\n')
    await ingest(source, file('goa.csv', text), { asOf: '2025-01-01' })
    before = await registerContents(database.db)
    for (const left of [text.length - 250, text.length / 2]) {
      const cut = await ingest(source, file('goa-cut.csv', text.slice(0, left)), { asOf: '2025-02-01' })
      expect(cut).toMatchObject({ status: 'needs_approval' })
      expect(cut.error?.message).toMatch(/the file ends in the middle of line \d+, and \d+ open records? /)
      await discardRun(database.db, cut.run_id)
      await expectUntouched()
    }
  })

  test.each<[string, Buffer, RegExp]>([
    [
      'a zip that is cut',
      zipOf([{ name: 'a.csv', content: companyFile(60) }]).subarray(0, -40),
      /the zip file is broken/,
    ],
    [
      'a zip with a wrong checksum',
      zipOf([{ name: 'a.csv', content: companyFile(60), checksum: 1 }]),
      /its checksum does not agree/,
    ],
    [
      'a zip with rotten data',
      zipOf([{ name: 'a.csv', content: companyFile(60), deflated: true }]).fill(255, 60, 90),
      /the zip file is broken/,
    ],
    [
      'a zip with two members of one name',
      zipOf([
        { name: 'a.csv', content: companyFile(6) },
        { name: 'a.csv', content: companyFile(7) },
      ]),
      /it holds two files named a\.csv/,
    ],
  ])('%s is refused', async (_, content, message) => expectRefused(file('broken.zip', content), message))
})

describe('zip bombs and their kin', () => {
  const zeros = (bytes: number): Buffer => Buffer.concat([companyFile(1), Buffer.alloc(bytes, '\n')])
  const member = (name: string, content: Buffer): ZipMember => ({ name, content, deflated: true })

  test.each<[string, () => ZipMember[]]>([
    ['one member of 1000:1', () => [member('bomb.csv', zeros(300 * mebibyte))]],
    [
      'many members that are harmless alone',
      () => Array.from({ length: 6 }, (_, n) => member(`${n}.csv`, zeros(50 * mebibyte))),
    ],
  ])('%s is stopped', async (_, make) => {
    const { run, peakBytes } = await measured(file('bomb.zip', zipOf(make())))
    expect(run).toMatchObject({
      status: 'failed',
      error: {
        code: 'SOURCE_CORRUPT',
        message: expect.stringMatching(/unpacks to more than 500 times its size, \d+ bytes; refused/),
      },
    })
    expect(peakBytes).toBeLessThan(256 * mebibyte)
    await expectUntouched()
  })

  test('a gzip bomb of 1000:1 is stopped', async () => {
    const gzip = createGzip({ level: constants.Z_BEST_COMPRESSION })
    const packed: Buffer[] = []
    gzip.on('data', (chunk: Buffer) => packed.push(chunk))
    for (let n = 0; n < 300; n++) gzip.write(n === 0 ? companyFile(1) : Buffer.alloc(mebibyte, '\n'))
    gzip.end()
    await new Promise((resolve) => gzip.on('end', resolve))
    const { run, peakBytes } = await measured(file('bomb.csv.gz', Buffer.concat(packed)))
    expect(run).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/more than 500 times its size/) },
    })
    expect(peakBytes).toBeLessThan(256 * mebibyte)
    await expectUntouched()
  })

  test('what unpacks to more than the bound is stopped, whatever its ratio', async () => {
    const text = companyFile(5000)
    const message = /unpacks to more than 100000 bytes \(PANJI_UNPACKED_BYTES_MAX\)/
    await expectRefused(file('large.csv.gz', gzipSync(text)), message, { unpackedBytesMax: 100_000 })
    await expectRefused(file('large.zip', zipOf([member('a.csv', text)])), message, { unpackedBytesMax: 100_000 })
  })

  test.each<[string, () => ZipMember[], RegExp]>([
    [
      'a zip in a zip',
      () => [{ name: 'inner.csv', content: zipOf([member('a.csv', zeros(10))]) }],
      /bad\.zip \(inner\.csv\): a zip file lies inside the archive/,
    ],
    [
      'a gzip in a zip',
      () => [
        { name: 'inner.csv.gz', content: gzipSync(companyFile(3)) },
        { name: 'x.csv', content: 'x' },
      ],
      /\(inner\.csv\.gz\): a gzip file lies inside/,
    ],
    [
      'a member that is larger than it says',
      () => [{ ...member('a.csv', companyFile(500)), claimedSize: 100 }],
      /the zip file is broken: too many bytes/,
    ],
    [
      'a member that is smaller than it says',
      () => [{ ...member('a.csv', companyFile(5)), claimedSize: 1_000_000 }],
      /the zip file is broken: not enough bytes/,
    ],
    [
      'a name that climbs out of the folder',
      () => [{ name: '../../escaped.csv', content: companyFile(3) }],
      /invalid relative path: \.\.\/\.\.\/escaped\.csv/,
    ],
    [
      'a name at the root',
      () => [{ name: '/tmp/escaped.csv', content: companyFile(3) }],
      /absolute path: \/tmp\/escaped\.csv/,
    ],
    [
      'more members than a publication has',
      () => Array.from({ length: 2001 }, (_, n) => ({ name: `${n}.csv`, content: '' })),
      /more than 2000 files \(membersMax/,
    ],
  ])('%s is refused, and nothing is written anywhere', async (_, make, message) => {
    const names = readdirSync(folder)
    const path = file('bad.zip', zipOf(make()))
    await expectRefused(path, message)
    expect(readdirSync(folder).filter((name) => name !== 'bad.zip' && name !== 'downloads')).toEqual(
      names.filter((name) => name !== 'bad.zip' && name !== 'downloads'),
    )
    expect(existsSync('/tmp/escaped.csv') || existsSync(join(folder, '..', '..', 'escaped.csv'))).toBe(false)
  })
})
