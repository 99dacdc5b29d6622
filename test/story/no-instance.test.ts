/** Commands where no Panji lies, and where its surroundings are wrong: one sentence each, and nothing is made. */
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CompactSign, exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { acquireInstance } from '../../src/db/embedded/instance-lock.ts'
import { useTestDatabase } from '../support/database.ts'
import { databaseAt } from '../support/database-url.ts'
import { runPanji } from '../support/panji-program.ts'
import { runNode } from '../support/run-node.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const database = useTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'panji-nowhere-'))
const file = join(folder, 'a-file')
const settings = join(folder, 'settings.json')
let taken: Server

beforeAll(async () => {
  writeFileSync(file, 'no folder\n')
  writeFileSync(settings, '{}')
  mkdirSync(join(folder, 'docs'))
  taken = createServer()
  await once(taken.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  taken.close()
  rmSync(folder, { recursive: true, force: true })
})

const unset = { PANJI_DATA_DIR: '', DATABASE_URL: '', PORT: '0', PANJI_SANDBOX_PORT: '0', LOG_LEVEL: 'warn' }
const nowhere = join(folder, 'docs', '.panji')
const panji = (parameters: readonly string[], env: Record<string, string> = {}) =>
  runPanji(parameters, { ...unset, PANJI_DATA_DIR: nowhere, ...env })

const userId = '00000000-0000-4000-8000-000000000000'
const commands: readonly (readonly string[])[] = [
  ['runs'],
  ['runs', '7'],
  ['rejects', '7'],
  ['approve', '7'],
  ['discard', '7'],
  ['ingest', 'mca-companies', file],
  ['schedules'],
  ['schedule', 'pause', 'goa'],
  ['jobs', 'dead'],
  ['jobs', 'redrive', '--all'],
  ['operator', 'list'],
  ['operator', 'add', 'asha', '--role', 'viewer'],
  ['account', 'create', '--email', 'a@example.com'],
  ['account', 'credits', userId],
  ['account', 'key', 'list', userId],
  ['destination', 'list', userId],
  ['destination', 'add', userId, '--type', 'hubspot', '--name', 'CRM', '--settings', settings],
  ['push', userId, '--destination', userId],
  ['history', 'prune', '--before', '2020-01-01'],
  ['secrets', 'rotate'],
  ['doctor'],
]

test('panji alone says where none lies how to make one, makes nothing, and ends well', async () => {
  const { code, stdout } = await panji([])
  expect([code, stdout]).toEqual([0, expect.stringMatching(/There is no Panji in .*npx panji start/s)])
  const { next_steps } = JSON.parse((await panji(['--json'])).stdout) as { next_steps: { command: string }[] }
  expect(next_steps.map(({ command }) => command)).toEqual(['npx panji start', 'npx panji --help'])
  expect(existsSync(nowhere)).toBe(false)
})

describe('a command makes no instance: it says where it looked, and which variable decides', () => {
  test.each(commands.map((command) => ({ command })))('panji $command', async ({ command }) => {
    const { code, stdout, stderr } = await panji([...command, '--json'])
    expect(code).toBe(1)
    expect(stderr + stdout).toContain(nowhere)
    expect(stderr + stdout).toContain('PANJI_DATA_DIR')
    expect(stderr + stdout).not.toMatch(/\n\s+at /)
    if (command[0] !== 'doctor') expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'NO_INSTANCE' } })
    expect(readdirSync(join(folder, 'docs'))).toEqual([])
  })

  test('where no variable names a folder, it looks in that of the process', async () => {
    const cwd = join(folder, 'docs')
    const { code, stderr } = await runNode(main, ['runs'], unset, cwd).ended
    expect([code, stderr]).toEqual([1, expect.stringContaining(join(cwd, '.panji'))])
    expect(readdirSync(cwd)).toEqual([])
  })

  test('panji receipt verify needs none: it says what holds, and what does not with an exit of 1', async () => {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
    const receipt = { delivery_id: userId, record: 'gst:30AAACR5055K1Z5', outcome: 'created' }
    const text = new TextEncoder().encode(JSON.stringify(receipt))
    const jws = await new CompactSign(text).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey)
    const verify = async (told: object, ...more: string[]) => {
      const path = join(folder, 'receipt.json')
      writeFileSync(path, JSON.stringify({ receipt: told, jws, key: await exportJWK(publicKey) }))
      const { code, stdout } = await panji(['receipt', 'verify', path, ...more, '--json'])
      return { code, answer: JSON.parse(stdout) as Record<string, unknown> }
    }
    const good = await verify(receipt)
    expect(good).toEqual({ code: 0, answer: { ok: true, kid: expect.any(String), reason: null } })
    expect((await verify(receipt, '--key', String(good.answer['kid']))).code).toBe(0)
    expect(await verify(receipt, '--key', 'another')).toMatchObject({ code: 1, answer: { ok: false } })
    const forged = await verify({ ...receipt, outcome: 'updated' })
    expect(forged).toMatchObject({
      code: 1,
      answer: { ok: false, reason: expect.stringContaining('differs from what was signed') },
    })
    expect(readdirSync(join(folder, 'docs'))).toEqual([])
  })

  test('nor does one with an address of a database that holds no Panji', async () => {
    await database.db.execute('CREATE DATABASE bare')
    const url = databaseAt(database.url, 'bare')
    const dataDir = join(folder, 'beside')
    const env = { DATABASE_URL: url, PANJI_SECRET_KEY: 'a-key-of-sixteen-characters', PANJI_DATA_DIR: dataDir }
    const { code, stdout, stderr } = await panji(['runs', '--json'], env)
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'NO_INSTANCE' } })
    expect(stderr).toContain('DATABASE_URL')
    const { stdout: migrated } = await panji(['migrate', '--json'], env)
    expect((JSON.parse(migrated) as { applied: string[] }).applied.length).toBeGreaterThan(3)
    expect(JSON.parse((await panji(['runs', '--json'], env)).stdout)).toEqual([])
  })

  test('nor does one beside a first start that has not made its tables yet, and no variable is named that is not set', async () => {
    await database.db.execute('CREATE DATABASE unmade')
    const dataDir = join(folder, 'unmade')
    mkdirSync(dataDir)
    const lock = acquireInstance(dataDir, 'start')
    lock.publish({ databaseUrl: databaseAt(database.url, 'unmade') })
    const { code, stdout, stderr } = await panji(['runs', '--json'], { PANJI_DATA_DIR: dataDir })
    lock.release()
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { error: { code: 'DATA_DIR_IN_USE' } }])
    expect(stderr).toContain(dataDir)
    expect(stderr).not.toContain('DATABASE_URL')
  })
})

interface Fault {
  readonly name: string
  readonly command: readonly string[]
  readonly env: () => Record<string, string>
  /** What the sentence must name. */
  readonly says: readonly string[]
}

const key = { PANJI_SECRET_KEY: 'a-key-of-sixteen-characters' }
const urlWith = (change: Partial<URL>) => Object.assign(new URL(database.url), change).href
const portOfTaken = () => String((taken.address() as { port: number }).port)
const own = (name: string) => ({ PANJI_DATA_DIR: join(folder, name), PANJI_SAMPLE: 'off' })
const beside = (change: Partial<URL>) => () => ({ ...key, ...own('beside'), DATABASE_URL: urlWith(change) })

const faults: readonly Fault[] = [
  {
    name: 'a taken port',
    command: ['start'],
    env: () => ({ ...beside({})(), PORT: portOfTaken() }),
    says: ['PORT', 'taken'],
  },
  {
    name: 'an address that is none of this machine',
    command: ['start', '--role', 'api'],
    env: () => ({ ...beside({})(), HOST: '192.0.2.1' }),
    says: ['HOST', '192.0.2.1'],
  },
  {
    name: 'a host that no name server knows',
    command: ['start', '--role', 'api'],
    env: () => ({ ...beside({})(), HOST: 'nowhere.invalid' }),
    says: ['HOST', 'nowhere.invalid'],
  },
  {
    name: 'a taken port of the sandboxes',
    command: ['sandbox'],
    env: () => ({ PANJI_SANDBOX_PORT: portOfTaken() }),
    says: ['PANJI_SANDBOX_PORT', 'taken'],
  },
  {
    name: 'a database that is not there',
    command: ['runs'],
    env: () => ({ ...key, ...own('beside'), DATABASE_URL: `postgresql://panji:hunter2@127.0.0.1:1/panji` }),
    says: ['DATABASE_URL', '127.0.0.1:1'],
  },
  {
    name: 'a server that nobody knows',
    command: ['runs'],
    env: () => ({ ...key, ...own('beside'), DATABASE_URL: `postgresql://panji:hunter2@nowhere.invalid/panji` }),
    says: ['DATABASE_URL', 'nowhere.invalid'],
  },
  {
    name: 'a wrong password',
    command: ['runs'],
    env: beside({ password: 'hunter2' }),
    says: ['DATABASE_URL', 'password'],
  },
  {
    name: 'a database that does not exist',
    command: ['start'],
    env: beside({ pathname: '/absent' }),
    says: ['DATABASE_URL', 'absent'],
  },
  {
    name: 'something that is no PostgreSQL',
    command: ['runs'],
    env: () => ({
      ...key,
      ...own('beside'),
      DATABASE_URL: `postgresql://panji:hunter2@127.0.0.1:notaport/panji`,
    }),
    says: ['DATABASE_URL'],
  },
  {
    name: 'a file where the data directory should be',
    command: ['start'],
    env: () => ({ PANJI_DATA_DIR: file }),
    says: ['PANJI_DATA_DIR', file],
  },
  {
    name: 'a data directory below a file',
    command: ['migrate'],
    env: () => ({ PANJI_DATA_DIR: join(file, 'below') }),
    says: ['PANJI_DATA_DIR', file],
  },
  {
    name: 'a file, for a command that makes nothing',
    command: ['runs'],
    env: () => ({ PANJI_DATA_DIR: file }),
    says: ['PANJI_DATA_DIR', file],
  },
  {
    name: 'a place where no folder may be made',
    command: ['start'],
    env: () => ({ PANJI_DATA_DIR: '/sys/panji' }),
    says: ['PANJI_DATA_DIR', '/sys/panji'],
  },
  {
    name: 'a file system that makes no folder at all',
    command: ['start'],
    env: () => ({ PANJI_DATA_DIR: '/proc/panji' }),
    says: ['PANJI_DATA_DIR', '/proc/panji'],
  },
  {
    name: 'a sample that cannot be written',
    command: ['sample', 'generate', '--out', file, '--companies', '1', '--gst', '1', '--directors', '1'],
    env: () => ({}),
    says: [file],
  },
  {
    name: 'a folder for the settings of a destination',
    command: ['destination', 'add', userId, '--type', 'hubspot', '--name', 'CRM', '--settings', folder],
    env: beside({}),
    says: [folder, 'it is a folder'],
  },
  {
    name: 'a receipt that is not there',
    command: ['receipt', 'verify', '/absent.json'],
    env: () => ({}),
    says: ['/absent.json cannot be read: there is no such file or folder.'],
  },
  {
    name: 'a secret of a webhook that is not there',
    command: ['webhook', 'listen', '--secret-file', '/absent'],
    env: () => ({}),
    says: ['/absent cannot be read: there is no such file or folder.'],
  },
  {
    name: 'a new key that is not there',
    command: ['secrets', 'rotate', '--new-key-file', '/absent', '--yes'],
    env: beside({}),
    says: ['/absent cannot be read: there is no such file or folder.'],
  },
  {
    name: 'values that no variable may have',
    command: ['start'],
    env: () => ({ PORT: '-1', PANJI_JOB_CONNECTIONS: 'many', PANJI_TRUSTED_PROXIES: 'everybody' }),
    says: ['PORT', 'PANJI_JOB_CONNECTIONS', 'PANJI_TRUSTED_PROXIES'],
  },
]

describe('what is wrong around Panji is told in a sentence that names the variable, never by a stack', () => {
  test.each(faults)('$name', async ({ command, env, says }) => {
    const { code, stdout, stderr } = await panji(command, env())
    expect(code).toBe(1)
    for (const word of says) expect(stderr).toContain(word)
    const told = stderr.split('\n').filter((line) => line.startsWith('panji: '))
    expect(told).toHaveLength(1)
    expect(stderr + stdout).not.toMatch(
      /\n\s+at |node:internal|hunter2|\bE(?:NOENT|ISDIR|NOTDIR|EXIST|ACCES|PERM|ROFS)\b/,
    )
  })

  test('what was found wrong left no folder behind', () => {
    expect(existsSync(join(folder, '.panji'))).toBe(false)
  })
})

test('a reader that goes away ends a command without a word', async () => {
  const child = runNode(main, ['--help'], unset, folder)
  child.child.stdout?.destroy()
  const { stderr } = await child.ended
  expect(stderr).toBe('')
})
