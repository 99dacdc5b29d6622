import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDb } from '../../src/db/db.ts'
import { acquireInstance, readInstance } from '../../src/db/embedded/instance-lock.ts'
import { type EmbeddedServer, startEmbeddedServer } from '../../src/db/embedded/server.ts'
import { runNode } from '../support/run-node.ts'
import { childrenOf, isAlive } from './support/server-processes.ts'

const holder = fileURLToPath(new URL('../support/embedded-holder.ts', import.meta.url))
let folder: string
let dataDir: string
let umask: number

beforeEach(() => {
  // A strict one would make each folder a private one.
  umask = process.umask(0o022)
  folder = mkdtempSync(join(tmpdir(), 'panji-embedded-'))
  dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  // mkdtemp makes the folder private, which is a case of its own below.
  chmodSync(folder, 0o755)
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  process.umask(umask)
})

async function countRows(server: { databaseUrl: string }): Promise<number> {
  const db = openDb({ connectionString: server.databaseUrl, applicationName: 'test' })
  try {
    await db.execute('CREATE TABLE IF NOT EXISTS survivor (id integer)')
    await db.execute('INSERT INTO survivor VALUES (1)')
    return (await db.query('SELECT * FROM survivor')).length
  } finally {
    await db.close()
  }
}

test('a process killed with -9 takes its server along, and the next start continues on the same data', async () => {
  const first = runNode(holder, [dataDir])
  const databaseUrl = (await first.line('ready ')).slice('ready '.length)
  expect(await countRows({ databaseUrl })).toBe(1)
  first.child.kill('SIGKILL')
  await first.ended

  const second = await startEmbeddedServer({ dataDir })
  expect(await countRows(second)).toBe(2)
  await second.stop()
})

test('a server that a shutdown does not end is ended all the same, and the next start continues on its data', async () => {
  const first = await startEmbeddedServer({ dataDir, stopSeconds: 1 })
  expect(await countRows(first)).toBe(1)
  const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  const checkpointer = childrenOf(postmaster).find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('checkpointer'),
  )
  // It writes what a shutdown waits for.
  if (checkpointer !== undefined) process.kill(checkpointer, 'SIGSTOP')
  await first.stop()
  expect(isAlive(postmaster)).toBe(false)

  const second = await startEmbeddedServer({ dataDir })
  expect(await countRows(second)).toBe(2)
  await second.stop()
})

test('a server that says it is starting up is waited for, however long its recovery takes', async () => {
  const settings = { wal_level: 'replica' }
  const first = await startEmbeddedServer({ dataDir, settings })
  expect(await countRows(first)).toBe(1)
  await first.stop()
  // Recovery asks the archive for one file after the other, each of which takes longer than a silent server has.
  writeFileSync(join(dataDir, 'postgres', 'recovery.signal'), '')
  const archive = { ...settings, restore_command: 'sleep 4; exit 1', hot_standby: 'off' }
  const second = await startEmbeddedServer({ dataDir, settings: archive, silentSeconds: 3 })
  expect(await countRows(second)).toBe(2)
  await second.stop()
}, 120_000)

test('a second instance on one data directory is refused with the pid of the first', async () => {
  const first = runNode(holder, [dataDir])
  await first.line('ready ')
  const second = await runNode(holder, [dataDir]).ended
  expect(second.code).not.toBe(0)
  expect(second.stderr).toContain(
    `Another Panji (process ${first.child.pid}, \`panji start\`) already runs on ${dataDir}`,
  )
  first.child.kill('SIGKILL')
  await first.ended
  expect(readInstance(dataDir)).toBeUndefined()
  acquireInstance(dataDir, 'start').release()
})

test('of processes that take over a stale lock at once, one wins', async () => {
  const first = runNode(holder, [dataDir])
  await first.line('ready ')
  first.child.kill('SIGKILL')
  await first.ended
  const rivals = [0, 1, 2].map(() => runNode(holder, [dataDir]))
  const results = await Promise.allSettled(rivals.map((rival) => rival.line('ready ')))
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  for (const rival of rivals) rival.child.kill('SIGKILL')
  await Promise.all(rivals.map((rival) => rival.ended))
})

test.runIf(process.getuid?.() === 0)(
  'root starts the server from a folder that only root may enter, again and again',
  async () => {
    chmodSync(folder, 0o700)
    let server: EmbeddedServer = await startEmbeddedServer({ dataDir })
    expect(await countRows(server)).toBe(1)
    await server.stop()
    server = await startEmbeddedServer({ dataDir })
    expect(await countRows(server)).toBe(2)
    await server.stop()
    rmSync(readFileSync(join(dataDir, 'postgres.location'), 'utf8').trim(), { recursive: true })
  },
)

test.runIf(process.getuid?.() === 0)(
  'where the data lies outside, a data directory that was moved goes on, and a copy of one is refused: it would be the same database',
  async () => {
    chmodSync(folder, 0o700)
    const [first, copied, moved] = ['first', 'copied', 'moved'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    mkdirSync(first)
    const counted = async (at: string): Promise<number> => {
      const server = await startEmbeddedServer({ dataDir: at })
      try {
        return await countRows(server)
      } finally {
        await server.stop()
      }
    }
    expect(await counted(first)).toBe(1)
    const outside = readFileSync(join(first, 'postgres.location'), 'utf8').trim()
    cpSync(first, copied, { recursive: true })
    await expect(startEmbeddedServer({ dataDir: copied })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`it is a copy of ${first}, and both name the one database in ${outside}`),
    })
    symlinkSync(first, join(folder, 'link'))
    expect(await counted(join(folder, 'link'))).toBe(2)
    renameSync(first, moved)
    expect(await counted(moved)).toBe(3)
    await expect(startEmbeddedServer({ dataDir: copied })).rejects.toThrow(`it is a copy of ${moved}`)
    rmSync(outside, { recursive: true })
  },
)

test('a data directory whose database lies elsewhere and is not there, as after a copy to another machine, is refused, and none is made', async () => {
  const elsewhere = join(folder, 'elsewhere')
  writeFileSync(join(dataDir, 'postgres.location'), `${elsewhere}\n`)
  await expect(startEmbeddedServer({ dataDir })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringMatching(/its database is in .*elsewhere .*not there.*`panji restore`/),
  })
  expect([existsSync(elsewhere), existsSync(join(dataDir, 'postgres'))]).toEqual([false, false])
})

/** Where the checkout itself lies in a private folder, no other user can run the code in it. */
function othersCanEnter(path: string): boolean {
  return (statSync(path).mode & 0o001) !== 0 && (path === dirname(path) || othersCanEnter(dirname(path)))
}
const root = fileURLToPath(new URL('../../', import.meta.url))
const canBorrowAnotherUser = process.getuid?.() === 0 && othersCanEnter(join(root, 'node_modules'))
if (!canBorrowAnotherUser)
  console.log('skipped: starting as another user needs root and a checkout that others may enter')

test.runIf(canBorrowAnotherUser)('a user who is not root starts the server as itself', async () => {
  const checkout = join(folder, 'checkout')
  for (const part of ['src', 'test/support', 'package.json', 'config'])
    cpSync(join(root, part), join(checkout, part), { recursive: true })
  const script = join(checkout, 'start-as-nobody.ts')
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
  writeFileSync(
    script,
    `process.setgid?.(65534); process.setuid?.(65534)\nawait import('./test/support/embedded-holder.ts')\n`,
  )
  chownSync(dataDir, 65_534, 65_534)
  const asNobody = runNode(script, [dataDir])
  const databaseUrl = (await asNobody.line('ready ')).slice('ready '.length)
  expect(await countRows({ databaseUrl })).toBe(1)
  asNobody.child.kill('SIGKILL')
  await asNobody.ended
})

test('a server whose first process is killed under an import is started again where it was: the table that the import had begun is gone, and all else is there', async () => {
  const first = await startEmbeddedServer({ dataDir })
  expect(await countRows(first)).toBe(1)
  const db = openDb({ connectionString: first.databaseUrl, applicationName: 'test' })
  const pid = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  const processes = [pid, ...childrenOf(pid)]
  const importing = db.transaction(async (tx) => {
    await tx.execute('CREATE UNLOGGED TABLE begun AS SELECT generate_series(1, 10000) AS id')
    // What another commits puts the making of the table on the disk, too.
    expect(await countRows(first)).toBe(2)
    processes.push(...childrenOf(pid))
    process.kill(pid, 'SIGKILL')
    await tx.query('SELECT pg_sleep(60)')
  })
  await expect(importing).rejects.toThrow(/terminat|ECONNRESET/i)
  await db.close()
  while (processes.some(isAlive)) await delay(10)

  await expect.poll(() => countRows(first).catch(() => 0), { timeout: 60_000 }).toBe(3)
  const eyes = openDb({ connectionString: first.databaseUrl, applicationName: 'test' })
  expect(await eyes.query(`SELECT to_regclass('begun') AS left_over`)).toEqual([{ left_over: null }])
  await eyes.close()
  await first.stop()
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
})

/** A machine of its own as far as /dev/shm goes, which is as small as one mebibyte. */
const littleShared = ['-m', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /dev/shm && exec "$0" "$@"']
const canMakeLittle = spawnSync('unshare', [...littleShared, 'true']).status === 0

test.runIf(canMakeLittle)(
  'where a container has little shared memory the server starts, and its workers share files of the data directory',
  async () => {
    // Tests have their folders in /dev/shm, which is hidden there.
    const elsewhere = mkdtempSync('/var/tmp/panji-embedded-')
    chmodSync(elsewhere, 0o755)
    const child = spawn('unshare', [...littleShared, process.execPath, holder, elsewhere], { stdio: 'pipe' })
    const ended = once(child, 'close')
    let printed = ''
    for await (const chunk of child.stdout) {
      printed += String(chunk)
      if (printed.includes('\n')) break
    }
    const databaseUrl = /^ready (\S+)/.exec(printed)?.[1] ?? ''
    const db = openDb({ connectionString: databaseUrl, applicationName: 'test' })
    expect(await db.query('SHOW dynamic_shared_memory_type')).toEqual([{ dynamic_shared_memory_type: 'mmap' }])
    await db.close()
    child.kill('SIGKILL')
    await ended

    const roomy = await startEmbeddedServer({ dataDir: elsewhere })
    expect(await countRows(roomy)).toBe(1)
    await roomy.stop()
    rmSync(elsewhere, { recursive: true })
  },
)
