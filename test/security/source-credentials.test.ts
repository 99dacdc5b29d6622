/** A publisher's password or token in an address opens its server, and stands nowhere else. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { companyFile } from '../support/company-lines.ts'
import { useTestDatabase } from '../support/database.ts'
import { runPanjiIn } from '../support/panji-cli.ts'
import { panjiProgram } from '../support/panji-program.ts'

// Each test runs several commands.
vi.setConfig({ testTimeout: 240_000 })

const database = useTestDatabase()
const user = 'feed-reader'
const password = 'pw-93ab7c'
const token = 'tok-51d2e8'
const secrets = [user, password, token]
let dataDir = ''

beforeEach(async () => {
  const made = mkdtempSync(join(tmpdir(), 'panji-credentials-'))
  dataDir = join(made, 'data')
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  await database.db.execute('TRUNCATE ingest.run, registry.company, runtime.schedule CASCADE')
})

/** A publisher that opens to the right password and token alone. */
async function publish(answer: (request: IncomingMessage, reply: ServerResponse) => void): Promise<URL> {
  const server = createServer((request, reply) => {
    const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    const isKnown = request.headers.authorization === expected && request.url?.includes(`token=${token}`) === true
    if (isKnown) answer(request, reply)
    else reply.writeHead(401).end('who is it?')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/goa.csv`)
  url.username = user
  url.password = password
  url.searchParams.set('token', token)
  return url
}

const settings = () => ({
  DATABASE_URL: database.url,
  PANJI_SECRET_KEY: 'a secret key of at least thirty-two characters',
  PANJI_OPERATOR_TOKEN: 'an operator token of at least thirty-two characters',
  PANJI_DATA_DIR: dataDir,
  PANJI_ALLOW_PRIVATE_SOURCES: 'true',
  PANJI_FETCH_SILENCE_SECONDS: '20',
  LOG_LEVEL: 'trace',
})
const panji = () => panjiProgram(settings())

/** Every row of every table, queue included, and every file of the data directory. */
async function everythingKept(): Promise<string> {
  const tables = await database.db.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  )
  const parts: string[] = []
  for (const { name } of tables) parts.push(JSON.stringify(await database.db.query(`SELECT t::text FROM ${name} t`)))
  for (const entry of readdirSync(dataDir, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) parts.push(readFileSync(join(entry.parentPath, entry.name), 'latin1'))
  }
  return parts.join('\n')
}

function expectNoSecret(text: string): void {
  for (const secret of secrets) expect(text.includes(secret), secret).toBe(false)
}

test('a file behind a password and a token is fetched, and neither is in any row, file, log or answer', async () => {
  const url = await publish((_, reply) => reply.end(companyFile(5)))
  const { code, answer, stderr } = await panji().json('ingest', 'mca-companies', url.href)
  expect(stderr + JSON.stringify(answer)).not.toMatch(/who is it/)
  expect({ code, answer }).toMatchObject({ code: 0, answer: { status: 'succeeded', rows_read: 5 } })
  expect(answer).toMatchObject({ input: `${url.origin}/goa.csv?…` })
  const runs = await panji().json('runs')
  expectNoSecret(JSON.stringify([answer, runs]) + stderr)
  expectNoSecret(await everythingKept())
})

test('a scheduled address keeps its credentials sealed: list, job, run and their outputs show the bare address', async () => {
  const url = await publish((_, reply) => reply.end(companyFile(5)))
  const said: unknown[] = []
  const say = async (...words: string[]) => said.push(await panji().json(...words))
  await say('schedule', 'add', 'goa', '--cron', '0 0 1 1 *', '--source', 'mca-companies', '--input', url.href)
  await say('schedules')
  await say('schedule', 'pause', 'goa')
  await say('schedule', 'run', 'goa')
  await say('runs')
  await say('doctor')
  expect(JSON.stringify(said)).toContain('/goa.csv?…')
  expectNoSecret(JSON.stringify(said))
  const rows = await database.db.query('SELECT status, rows_read FROM ingest.run')
  expect(rows).toEqual([{ status: 'succeeded', rows_read: 5 }])
  expectNoSecret(await everythingKept())
})

test.each<[string, (request: IncomingMessage, reply: ServerResponse) => void]>([
  ['a refusal', (_, reply) => void reply.writeHead(404).end()],
  ['a redirect to no address', (_, reply) => void reply.writeHead(302, { location: `http://[${password}` }).end()],
  ['a redirect to itself', (request, reply) => void reply.writeHead(302, { location: request.url }).end()],
  ['a file that is none', (_, reply) => void reply.end('CIN\nX\n')],
])('%s of the server is told without the credentials', async (_, answer) => {
  const url = await publish(answer)
  const ended = await panji().json('ingest', 'mca-companies', url.href)
  expect(ended.code).toBe(1)
  expect(JSON.stringify(ended.answer)).toContain('/goa.csv?…')
  expectNoSecret(JSON.stringify(ended) + (await everythingKept()))
})

test('an address that is none, or that nobody fetches, is refused without being repeated', async () => {
  for (const [input, code] of [
    [`http://${user}:${password}@[x/?token=${token}`, 1],
    [`ftp://${user}:${password}@host/?token=${token}`, 2],
  ] as const) {
    const words = ['add', 'x', '--cron', '0 0 * * *', '--source', 'mca-companies', '--input', input]
    const scheduled = await panji().json('schedule', ...words)
    const ingested = await panji().json('ingest', 'mca-companies', input)
    expect([scheduled.code, ingested.code]).toEqual([2, code])
    expectNoSecret(JSON.stringify([scheduled, ingested]))
  }
  expectNoSecret(await everythingKept())
})

test('credentials are not sent on to another server', async () => {
  const seen: (string | undefined)[] = []
  const other = createServer((request, reply) => {
    seen.push(request.headers.authorization)
    reply.end(companyFile(5))
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/moved.csv`
  const url = await publish((_, reply) => void reply.writeHead(302, { location }).end())
  expect(await panji().json('ingest', 'mca-companies', url.href)).toMatchObject({
    code: 0,
    answer: { status: 'succeeded' },
  })
  expect(seen).toEqual([undefined])
})

test("Panji's folders and what it writes into them are for its user alone", async () => {
  const url = await publish((_, reply) => {
    reply.writeHead(200, { 'content-length': '100000', etag: '"1"' })
    reply.write(companyFile(2))
    setTimeout(() => reply.destroy(), 20)
  })
  const child = runPanjiIn(dataDir, ['ingest', 'mca-companies', url.href], settings())
  const notes = async (): Promise<string[]> => {
    const names = readdirSync(dataDir, { recursive: true }).map(String)
    return names.filter((name) => /^downloads\/run-.*\.part(?:\.json)?$/.test(name))
  }
  await expect.poll(notes, { timeout: 120_000 }).toHaveLength(2)
  const modes = (await notes()).map((name) => statSync(join(dataDir, name)).mode & 0o777)
  child.child.kill('SIGKILL')
  await child.ended
  expect(modes).toEqual([0o600, 0o600])
  expect(statSync(join(dataDir, 'downloads')).mode & 0o777).toBe(0o700)
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  expectNoSecret(await everythingKept())
})
