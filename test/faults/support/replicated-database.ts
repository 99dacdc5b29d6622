/** Two PostgreSQL servers of the experiment's own: a primary, and a standby without which no commit is acknowledged, unless asked otherwise. */
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { type Db, openDb } from '../../../src/db/db.ts'
import { type EmbeddedServer, startEmbeddedServer } from '../../../src/db/embedded/server.ts'
import { unprivilegedUser } from '../../../src/db/embedded/unprivileged-user.ts'
import { childrenOf, isAlive } from './server-processes.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const names = ['first', 'second'] as const
export type ServerOfTwo = (typeof names)[number]

export interface ReplicatedDatabase {
  /** The address of both, the first to begin with the primary. */
  readonly url: string
  /** The address of one of them alone. */
  urlOf(name: ServerOfTwo): string
  /** The eyes of the test on the first server, the second once it was promoted. */
  readonly db: Db
  /** Past the proxy, whatever the server is. */
  eyesOn(name: ServerOfTwo): Db
  /** The way from Panji to a server. */
  proxyOf(name: ServerOfTwo): TcpProxy
  /** SIGKILL of its first process; its port refuses connections afterwards. */
  kill(name: ServerOfTwo): Promise<void>
  /** Starts what was killed, as the primary that it was, at its old address. */
  startAgain(name: ServerOfTwo): Promise<void>
  promote(): Promise<void>
  /** The standby receives nothing more; with asynchronous replication the primary goes on, into a future that may be lost. */
  cutOff(): Promise<void>
}

interface Running {
  readonly server: EmbeddedServer
  readonly db: Db
}

/** Call at the top of a file. */
export function useReplicatedDatabase(mode: 'synchronous' | 'asynchronous' = 'synchronous'): ReplicatedDatabase {
  const dirs = Object.fromEntries(names.map((name) => [name, mkdtempSync(join(tmpdir(), `panji-${name}-`))]))
  const running = new Map<ServerOfTwo, Running>()
  const proxies = new Map<ServerOfTwo, TcpProxy>()
  /** The way from the standby to its primary. */
  let replication: TcpProxy | undefined
  let primary: ServerOfTwo = 'first'
  const settings = { fsync: 'off', shared_buffers: '64MB', wal_level: 'replica', max_wal_senders: '4' }
  const folderOf = (name: ServerOfTwo) => dirs[name] ?? ''
  const existing = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('the databases exist only inside tests and hooks')
    return part
  }

  async function start(name: ServerOfTwo, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const options = { settings: { ...settings, ...more }, isKeptRunning: false }
    const server = await startEmbeddedServer({ dataDir: folderOf(name), ...options })
    const db = openDb({ connectionString: server.databaseUrl, applicationName: 'panji-test-eyes', connectionsMax: 3 })
    running.set(name, { server, db })
    const port = Number(new URL(server.databaseUrl).port)
    const proxy = proxies.get(name)
    if (proxy) proxy.lead(port)
    else proxies.set(name, await startTcpProxy(port))
  }

  beforeAll(async () => {
    // Under root a private folder would send the server elsewhere, see src/db/embedded/location.ts.
    for (const name of names) chmodSync(folderOf(name), 0o755)
    await start('first')
    const { server, db } = existing(running.get('first'))
    await db.close()
    await server.stop()
    cpSync(folderOf('first'), folderOf('second'), { recursive: true, preserveTimestamps: true })
    chmodSync(join(folderOf('second'), 'postgres'), 0o700)
    handOver(join(folderOf('second'), 'postgres'))
    await start('first', mode === 'synchronous' ? { synchronous_standby_names: '*' } : {})
    const { hostname, port, username, password } = new URL(existing(running.get('first')).server.databaseUrl)
    const signal = join(folderOf('second'), 'postgres', 'standby.signal')
    writeFileSync(signal, '')
    handOver(signal)
    replication = await startTcpProxy(Number(port))
    const way = new URL(replication.through(existing(running.get('first')).server.databaseUrl)).port
    await start('second', {
      primary_conninfo: `host=${hostname} port=${way} user=${username} password=${password}`,
    })
  })
  afterAll(async () => {
    for (const { db } of running.values()) await db.close()
    for (const proxy of proxies.values()) await proxy.close()
    await replication?.close()
    for (const { server } of running.values()) await server.stop()
    for (const name of names) rmSync(folderOf(name), { recursive: true, force: true })
  })

  const urlOf = (name: ServerOfTwo) =>
    existing(proxies.get(name)).through(existing(running.get(name)).server.databaseUrl)
  return {
    get url() {
      const [first, second] = names.map((name) => new URL(urlOf(name)))
      return existing(first).href.replace(existing(first).host, `${existing(first).host},${existing(second).host}`)
    },
    urlOf,
    get db() {
      return existing(running.get(primary)).db
    },
    eyesOn: (name) => existing(running.get(name)).db,
    proxyOf: (name) => existing(proxies.get(name)),
    async kill(name) {
      const pid = Number(readFileSync(join(folderOf(name), 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
      const processes = [pid, ...childrenOf(pid)]
      process.kill(pid, 'SIGKILL')
      await existing(proxies.get(name)).unplug()
      // What it began goes on for a moment.
      while (processes.some(isAlive)) await delay(10)
      await existing(running.get(name)).db.close()
      running.delete(name)
    },
    async startAgain(name) {
      await start(name)
      await existing(proxies.get(name)).plugIn()
    },
    async cutOff() {
      await existing(replication).unplug()
      const { db } = existing(running.get('second'))
      await vi.waitFor(async () => expect(await db.query('SELECT FROM pg_stat_wal_receiver')).toEqual([]), {
        timeout: 60_000,
        interval: 20,
      })
    },
    async promote() {
      await existing(running.get('second')).db.query('SELECT pg_promote()')
      primary = 'second'
    },
  }
}

/** Recursively, to the account that runs the server where that is another than this one. */
function handOver(path: string): void {
  const user = unprivilegedUser()
  if (!user) return
  const inside = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : []
  for (const each of ['', ...inside]) chownSync(join(path, each), user.uid, user.gid)
}
