import { beforeEach, expect, test } from 'vitest'
import { companyFile } from '../../support/company-lines.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { type FileServer, serveFile } from '../../support/file-server.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)
const fetched = (server: FileServer, options: { readonly force?: boolean } = {}) =>
  ingest('mca-companies', server.url, { ...options, deps: { allowPrivateSources: true } })

// All of them serve the same companies.
beforeEach(() => emptyRegisters(database.db))

test('a file that the server still has is not sent again: the run is a no-op and says why', async () => {
  const server = await serveFile(companyFile(20))
  const first = await fetched(server)
  expect(first).toMatchObject({ status: 'succeeded', inserted: 20 })
  const second = await fetched(server)
  expect(second).toMatchObject({
    status: 'no_op',
    sha256: first.sha256,
    bytes: first.bytes,
    report: { reason: expect.stringContaining('304') },
  })
  expect(server.seen).toMatchObject([
    { ifNoneMatch: undefined, ifModifiedSince: undefined, status: 200 },
    { ifNoneMatch: '"v1"', ifModifiedSince: 'Wed, 01 Oct 2025 00:00:00 GMT', status: 304 },
  ])
  expect(await fetched(server)).toMatchObject({ status: 'no_op' })
  expect(server.seen[2]).toMatchObject({ status: 304 })

  server.file.body = companyFile(21)
  server.file.etag = '"v2"'
  expect(await fetched(server)).toMatchObject({ status: 'succeeded', inserted: 1, unchanged: 20 })
  expect(await fetched(server)).toMatchObject({ status: 'no_op' })
  expect(server.seen[4]).toMatchObject({ ifNoneMatch: '"v2"', status: 304 })
})

test('--force asks for the file whatever the server still has', async () => {
  const server = await serveFile(companyFile(21))
  await fetched(server)
  expect(await fetched(server, { force: true })).toMatchObject({ status: 'succeeded', unchanged: 21 })
  expect(server.seen[1]).toMatchObject({ ifNoneMatch: undefined, ifModifiedSince: undefined, status: 200 })
})

test('a file is asked for in full again once another one has changed what it wrote', async () => {
  const server = await serveFile(companyFile(21))
  await fetched(server)
  const other = file('other.csv', companyFile(21, 'Strike Off'))
  expect(await ingest('mca-companies', other)).toMatchObject({ updated: 21 })
  expect(await fetched(server)).toMatchObject({ status: 'succeeded', updated: 21 })
  expect(server.seen[1]).toMatchObject({ ifNoneMatch: undefined, status: 200 })
})

test('a run that was not applied leaves nothing to compare with', async () => {
  const server = await serveFile(Buffer.from('a,b\n1,2\n'))
  await expect(fetched(server)).rejects.toMatchObject({ code: 'HEADER_MISMATCH' })
  await expect(fetched(server)).rejects.toMatchObject({ code: 'HEADER_MISMATCH' })
  expect(server.seen[1]).toMatchObject({ ifNoneMatch: undefined, status: 200 })
})

test('what one address said of its file is not asked of the address that a redirect leads to now', async () => {
  const october = await serveFile(companyFile(22))
  const november = await serveFile(companyFile(23))
  const latest = await serveFile(Buffer.alloc(0))
  const to = (target: FileServer) =>
    latest.faults.push((_, reply) => reply.writeHead(302, { location: target.url }).end())
  to(october)
  expect(await fetched(latest)).toMatchObject({ status: 'succeeded', rows_read: 22 })
  to(october)
  expect(await fetched(latest)).toMatchObject({ status: 'no_op' })
  to(november)
  // Another file with the same ETag: a server numbers its versions as it likes.
  expect(await fetched(latest)).toMatchObject({ status: 'succeeded', rows_read: 23 })
  expect(october.seen).toMatchObject([{ status: 200 }, { ifNoneMatch: '"v1"', status: 304 }])
  expect(november.seen).toMatchObject([{ ifNoneMatch: undefined, status: 200 }])
  expect(latest.seen.map((each) => each.ifNoneMatch)).toEqual([undefined, undefined, undefined])
})

test('a server that says 304 without having been asked is not believed', async () => {
  const server = await serveFile(companyFile(3))
  server.faults.push((_, reply) => reply.writeHead(304).end())
  await expect(fetched(server)).rejects.toMatchObject({
    code: 'SOURCE_UNREADABLE',
    message: expect.stringContaining('the server answered 304'),
  })
})
