/**
 * Salesforce's own command line drives the sandbox as it drives an org. It is no dependency, since it brings 725 packages of 296 MB:
 * where PANJI_SF_CLI names it, or `sf` is on the path, these tests run; elsewhere they say why they do not. Seen with 2.150.6.
 */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSalesforceSandbox } from '../../connectors/salesforce/sandbox/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../connectors/sandbox-server.ts'
import { accessTokenOf } from './salesforce-org.ts'

const command = process.env['PANJI_SF_CLI'] ?? 'sf'
/** The command runs under the Node that it finds first, and needs 22. */
const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
const isThere = spawnSync(command, ['--version'], { timeout: 60_000, env: { ...process.env, PATH: path } }).status === 0
const reason = isThere ? '' : ' (skipped: PANJI_SF_CLI names no sf, and there is none on the path)'
const sandbox = createSalesforceSandbox()
let server: RunningSandboxes
let home: string
let accessToken: string

interface Answer {
  readonly status: number
  readonly result: never
  readonly message?: string
}

const sf = (...words: string[]): Promise<Answer> => sfIn(home, ...words)

/** What the command answers with `--json`. */
async function sfIn(cwd: string, ...words: string[]): Promise<Answer> {
  const child = spawn(command, [...words, '--json'], {
    env: {
      PATH: path,
      HOME: home,
      SF_ACCESS_TOKEN: accessToken,
      SF_DISABLE_TELEMETRY: 'true',
      SF_AUTOUPDATE_DISABLE: 'true',
      SF_SKIP_NEW_VERSION_CHECK: 'true',
      SF_USE_GENERIC_UNIX_KEYCHAIN: 'true',
      SF_DISABLE_LOG_FILE: 'true',
    },
    cwd,
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
    const settings = server.settings('salesforce')
    accessToken = await accessTokenOf(settings)
    const { origin } = new URL(String(settings['login_url']))
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

  const packages = 'connectors/salesforce'
  const deploy = (folder: string) =>
    sfIn(folder, 'project', 'deploy', 'start', ...box, '--source-dir', 'force-app', '--ignore-conflicts')

  test.each([
    { folder: 'package', object: 'Lead', field: 'GSTIN__c', permissionSet: 'Panji_Delivery' },
    { folder: 'package-accounts', object: 'Account', field: 'CIN__c', permissionSet: 'Panji_Delivery_Accounts' },
  ])('deploys $folder, and again without a change', { timeout: 120_000 }, async ({ folder, object, field, ...of }) => {
    const copy = join(home, folder)
    cpSync(join(packages, folder), copy, { recursive: true })
    const first = await deploy(copy)
    expect(first).toMatchObject({ status: 0, result: { status: 'Succeeded', success: true, numberComponentErrors: 0 } })
    const components = statesOf(first)
    expect(components.get(`${object}.${field}`)).toBe('Created')
    expect(components.get(of.permissionSet)).toBe('Created')
    const described = await sf('sobject', 'describe', ...box, '-s', object)
    expect((described.result as { fields: { name: string }[] }).fields.map(({ name }) => name)).toContain(field)
    const again = await deploy(copy)
    expect(again).toMatchObject({ status: 0, result: { success: true } })
    expect([...statesOf(again).values()]).not.toContain('Created')
    expect(JSON.stringify(sandbox.calls()), 'no credential stands in the list of calls').not.toContain(accessToken)
  })

  test.each([
    { folder: 'package', permissionSet: 'Panji_Delivery' },
    { folder: 'package-accounts', permissionSet: 'Panji_Delivery_Accounts' },
  ])(
    'assigns the permission set of $folder to a user, once, and names one that is none',
    {
      timeout: 120_000,
    },
    async ({ folder, permissionSet }) => {
      const copy = join(home, `assigned-${folder}`)
      cpSync(join(packages, folder), copy, { recursive: true })
      expect((await deploy(copy)).status).toBe(0)
      const user = 'sandbox@panji.example'
      const assign = (name: string, to = user) =>
        sf('org', 'assign', 'permset', '--name', name, '--on-behalf-of', to, ...box)
      expect(await assign(permissionSet)).toMatchObject({
        status: 0,
        result: { successes: [{ name: user, value: permissionSet }], failures: [] },
      })
      const query = (soql: string) => sf('data', 'query', ...box, '-q', soql)
      const sets = await query(`SELECT Id FROM PermissionSet WHERE Name = '${permissionSet}'`)
      const [set] = (sets.result as { records: { Id: string }[] }).records
      const assigned = await query(`SELECT Id FROM PermissionSetAssignment WHERE PermissionSetId = '${set?.Id}'`)
      expect(assigned).toMatchObject({ status: 0, result: { totalSize: 1 } })
      expect((await assign(permissionSet)).result).toMatchObject({ successes: [], failures: [{ name: user }] })
      expect(JSON.stringify(await assign('Nobody_Has_This'))).toContain('Nobody_Has_This')
      expect((await assign(permissionSet, 'nobody@panji.example')).status).not.toBe(0)
    },
  )

  test('is told which field of a package is at fault, and then nothing of it is there', {
    timeout: 120_000,
  }, async () => {
    const copy = join(home, 'faulty')
    cpSync(join(packages, 'package'), copy, { recursive: true })
    const fields = join(copy, 'force-app/main/default/objects/Contact/fields')
    cpSync(join(copy, 'force-app/main/default/objects/Lead/fields'), fields, { recursive: true })
    const bad =
      '<CustomField xmlns="http://soap.sforce.com/2006/04/metadata"><fullName>PAN__c</fullName><label>PAN</label>'
    writeFileSync(join(fields, 'PAN__c.field-meta.xml'), `${bad}<length>900</length><type>Text</type></CustomField>`)
    const refused = await deploy(copy)
    expect(refused.status).not.toBe(0)
    expect(JSON.stringify(refused)).toContain("Can not specify 'length' beyond 1 to 255")
    const described = await sf('sobject', 'describe', ...box, '-s', 'Contact')
    expect(JSON.stringify(described.result)).not.toContain('GSTIN__c')
  })
})

function statesOf({ result }: Answer): ReadonlyMap<string, string> {
  const { files } = result as { files: { fullName: string; state: string }[] }
  return new Map(files.map(({ fullName, state }) => [fullName, state]))
}
