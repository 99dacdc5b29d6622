/** A PostgreSQL of the experiment's own, behind a proxy, that can be crashed and started again at the same address. */
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import { type Db, openDb } from '../../../src/db/db.ts'
import { type EmbeddedServer, startEmbeddedServer } from '../../../src/db/embedded/server.ts'
import { unprivilegedUser } from '../../../src/db/embedded/unprivileged-user.ts'
import { isAlive } from './server-processes.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export interface OwnDatabase {
  /** Through the proxy. */
  readonly url: string
  /** Past the proxy, for the test's own eyes; asked anew after a restart. */
  readonly db: Db
  readonly proxy: TcpProxy
  /** Immediate shutdown, as `pg_ctl stop -m immediate`: no checkpoint, no goodbye; the address refuses connections. */
  crash(): Promise<void>
  /** After a crash: what starts next is a standby, which takes reads and no writes until it is promoted. Needs wal_level `replica`. */
  becomeStandby(): void
  /** Starts the server again; resolves when it accepts connections. */
  restart(): Promise<void>
}

/** Call at the top of a file. */
export function useOwnDatabase(settings: Readonly<Record<string, string>> = {}): OwnDatabase {
  const dataDir = mkdtempSync(join(tmpdir(), 'panji-fault-'))
  // Under root a private folder would send the server elsewhere, see src/db/embedded/location.ts.
  chmodSync(dataDir, 0o755)
  let server: EmbeddedServer | undefined
  let proxy: TcpProxy | undefined
  let db: Db | undefined

  async function start(): Promise<number> {
    server = await startEmbeddedServer({
      dataDir,
      // Commits stay synchronous: a crash of the server may lose none of them. No experiment takes the machine down.
      settings: { fsync: 'off', shared_buffers: '64MB', ...settings },
      isKeptRunning: false,
    })
    db = openDb({ connectionString: server.databaseUrl, applicationName: 'panji-test-eyes', connectionsMax: 3 })
    return Number(new URL(server.databaseUrl).port)
  }
  beforeAll(async () => {
    proxy = await startTcpProxy(await start())
  })
  afterAll(async () => {
    await db?.close()
    await proxy?.close()
    await server?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('the database exists only inside tests and hooks')
    return part
  }
  return {
    get url() {
      return started(proxy).through(started(server).databaseUrl)
    },
    get db() {
      return started(db)
    },
    get proxy() {
      return started(proxy)
    },
    async crash() {
      await started(db).close()
      const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
      const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
      process.kill(pid, 'SIGQUIT')
      await started(proxy).unplug()
      while (isAlive(pid)) await delay(10)
    },
    becomeStandby() {
      const signal = join(dataDir, 'postgres', 'standby.signal')
      writeFileSync(signal, '')
      const user = unprivilegedUser()
      if (user) chownSync(signal, user.uid, user.gid)
    },
    async restart() {
      started(proxy).lead(await start())
      await started(proxy).plugIn()
    },
  }
}
