/**
 * Salesforce's own command line drives the sandbox as it drives an org. It is no dependency, since it brings 720 packages of 290 MB:
 * where `sf` is on the path (`npm install -g @salesforce/cli`), these tests run; elsewhere they say why they do not.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSalesforceSandbox } from '../../connectors/salesforce/sandbox/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../connectors/sandbox-server.ts'

const isThere = spawnSync('sf', ['--version'], { timeout: 60_000 }).status === 0
const reason = isThere ? '' : ' (skipped: there is no sf on the path)'
const sandbox = createSalesforceSandbox()
let server: RunningSandboxes
let home: string
let accessToken: string

/** What the command answers with `--json`. */
async function sf(
  ...words: string[]
): Promise<{ readonly status: number; readonly result: never; readonly message?: string }> {
  const child = spawn('sf', [...words, '--json'], {
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      SF_ACCESS_TOKEN: accessToken,
      SF_DISABLE_TELEMETRY: 'true',
      SF_AUTOUPDATE_DISABLE: 'true',
      SF_SKIP_NEW_VERSION_CHECK: 'true',
      SF_USE_GENERIC_UNIX_KEYCHAIN: 'true',
      SF_DISABLE_LOG_FILE: 'true',
    },
    cwd: home,
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  await new Promise((resolve) => child.once('close', resolve))
  return JSON.parse(text)
}

describe.skipIf(!isThere)(`the Salesforce command line${reason}`, () => {
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'panji-sf-'))
    server = await startSandboxes([sandbox], { port: 0 })
    const { login_url, client_id, client_secret } = server.settings('salesforce') as Record<string, string>
    const form = {
      grant_type: 'client_credentials',
      client_id: String(client_id),
      client_secret: String(client_secret),
    }
    const reply = await fetch(`${login_url}/services/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
    accessToken = ((await reply.json()) as { access_token: string }).access_token
    const { origin } = new URL(String(login_url))
    const login = await sf('org', 'login', 'access-token', '--instance-url', origin, '--no-prompt', '--alias', 'box')
    expect(login).toMatchObject({ status: 0, result: { orgId: '00D000000000001EAA' } })
  }, 120_000)
  afterAll(async () => {
    await server?.close()
    rmSync(home, { recursive: true, force: true })
  })
  const box = ['--target-org', 'box']

  test('creates, queries, changes and describes', { timeout: 120_000 }, async () => {
    const created = await sf(
      'data',
      'create',
      'record',
      ...box,
      '-s',
      'Lead',
      '-v',
      "LastName='Naik' Company='Zuari Foods'",
    )
    expect(created).toMatchObject({ status: 0, result: { success: true } })
    const { id } = created.result as { id: string }
    const changed = await sf('data', 'update', 'record', ...box, '-s', 'Lead', '-i', id, '-v', "City='Panaji'")
    expect(changed.status).toBe(0)
    const query = "SELECT Id, City FROM Lead WHERE LastName = 'Naik'"
    expect(await sf('data', 'query', ...box, '-q', query)).toMatchObject({
      status: 0,
      result: { totalSize: 1, records: [{ Id: id, City: 'Panaji' }] },
    })
    const described = await sf('sobject', 'describe', ...box, '-s', 'Lead')
    expect(described).toMatchObject({ status: 0, result: { name: 'Lead' } })
  })

  test('imports a file in bulk, and says what failed', { timeout: 120_000 }, async () => {
    const good = join(home, 'good.csv')
    writeFileSync(good, 'LastName,Company\nKamat,Mandovi\nPrabhu,Mandovi\n')
    const done = await sf('data', 'import', 'bulk', ...box, '-s', 'Lead', '-f', good, '-w', '2', '--line-ending', 'LF')
    expect(done).toMatchObject({ status: 0, result: { processedRecords: 2, successfulRecords: 2, failedRecords: 0 } })
    const bad = join(home, 'bad.csv')
    writeFileSync(bad, 'LastName,Company\n,Mandovi\nShenoy,Mandovi\n')
    const partly = await sf('data', 'import', 'bulk', ...box, '-s', 'Lead', '-f', bad, '-w', '2', '--line-ending', 'LF')
    expect(partly.status).not.toBe(0)
    expect(sandbox.records().map(({ properties }) => properties['LastName'])).toContain('Shenoy')
  })
})
