/** The cluster of ops/ha on this machine: three PostgreSQL that Patroni manages, and HAProxy before them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, vi } from 'vitest'
import { type Db, openDb } from '../../../src/db/db.ts'
import { machineServer } from '../../support/machine-postgres.ts'
import { hasTool } from '../../support/machine-tool.ts'

const script = fileURLToPath(new URL('../../../ops/ha/cluster.sh', import.meta.url))
const names = ['one', 'two', 'three'] as const
type Member = (typeof names)[number]

/** What dies: PostgreSQL alone, which Patroni sees; Patroni alone, and its PostgreSQL goes on unwatched; or both. Patroni stays away until `back`. */
export type Death = 'postgres' | 'patroni' | 'machine'

/** Whether the programs are here; where one is not, prints which. */
export const hasClusterTools = (): boolean =>
  [hasTool('patroni', 'patroni'), hasTool('etcd', 'etcd-server'), hasTool('haproxy', 'haproxy')].every(Boolean) &&
  machineServer() !== undefined

export interface PatroniCluster {
  /** As Panji is given it. */
  readonly url: string
  /** Of whoever may see all, for the test's eyes. */
  readonly eyesUrl: string
  readonly db: Db
  /** SIGKILL of the primary. @returns its name. */
  kill(death: Death): Promise<Member>
  /** Lets a member come back, and waits until it and every other follow one primary. @returns the timeline of all. */
  back(name: Member): Promise<number>
}

interface Told {
  readonly role: string
  readonly state: string
  readonly timeline?: number
  readonly lag?: number | string
}

/** Call at the top of a describe. */
export function usePatroniCluster(...options: readonly '--asynchronous'[]): PatroniCluster {
  const base = mkdtempSync(join(tmpdir(), 'panji-ha-'))
  const folder = join(base, 'cluster')
  let url = ''
  let eyesUrl = ''
  let firstPort = 0
  let db: Db | undefined
  let end: () => Promise<void> = async () => {}

  beforeAll(async () => {
    chmodSync(base, 0o755)
    firstPort = await freePorts(10)
    const cluster = spawn(script, [folder, ...options], {
      env: { ...process.env, FIRST_PORT: String(firstPort) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(cluster, 'exit')
    end = async () => {
      cluster.kill('SIGTERM')
      await ended
    }
    let printed = ''
    cluster.stdout.on('data', (chunk) => {
      printed += String(chunk)
    })
    await vi.waitFor(
      () => {
        if (!printed.includes('Ctrl-C')) throw new Error(`the cluster is not up yet: ${printed}`)
      },
      { timeout: 120_000, interval: 100 },
    )
    url = /^DATABASE_URL=(.+)$/m.exec(printed)?.[1] ?? ''
    const password = /SUPERUSER_PASSWORD=(\w+)/.exec(readFileSync(join(folder, 'passwords.env'), 'utf8'))?.[1] ?? ''
    eyesUrl = Object.assign(new URL(url), { username: 'postgres', password }).href
    db = openDb({ connectionString: eyesUrl, applicationName: 'panji-test-eyes', connectionsMax: 3 })
    await settled()
  }, 150_000)
  afterAll(async () => {
    await db?.close()
    await end()
    rmSync(base, { recursive: true, force: true })
  }, 60_000)

  const restPortOf = (name: Member) => firstPort + 7 + names.indexOf(name)
  async function told(name: Member): Promise<Told> {
    const response = await fetch(`http://127.0.0.1:${restPortOf(name)}/patroni`, { signal: AbortSignal.timeout(2_000) })
    return (await response.json()) as Told
  }
  async function primary(): Promise<Member> {
    for (const name of names) {
      const known = await told(name).catch(() => undefined)
      if (known?.state === 'running' && known.role === 'master') return name
    }
    throw new Error('no member is the primary')
  }
  /** Every member runs, and all are on one timeline. */
  async function settled(): Promise<number> {
    return vi.waitFor(
      async () => {
        const all = await Promise.all(names.map(told))
        const timelines = new Set(all.map(({ timeline, ...member }) => timeline ?? JSON.stringify(member)))
        const [timeline] = timelines
        const roles = all.map(({ role }) => role).sort()
        if (all.every(({ state }) => state === 'running') && roles.join() === 'master,replica,replica')
          if (timelines.size === 1 && typeof timeline === 'number') return timeline
        throw new Error(`the members are not one cluster yet: ${JSON.stringify(all)}`)
      },
      { timeout: 120_000, interval: 200 },
    )
  }
  const firstNumber = (...path: string[]) => Number(readFileSync(join(folder, ...path), 'utf8').split('\n')[0])

  return {
    get url() {
      return url
    },
    get eyesUrl() {
      return eyesUrl
    },
    get db() {
      if (!db) throw new Error('the cluster exists only inside tests and hooks')
      return db
    },
    async kill(death) {
      const name = await primary()
      if (death !== 'postgres') writeFileSync(join(folder, name, 'down'), '')
      // Patroni first, or it would see the other die.
      const pids = [
        ...(death === 'postgres' ? [] : [firstNumber(name, 'patroni.pid')]),
        ...(death === 'patroni' ? [] : [firstNumber(name, 'data', 'postmaster.pid')]),
      ]
      for (const pid of pids) process.kill(pid, 'SIGKILL')
      return name
    },
    async back(name) {
      rmSync(join(folder, name, 'down'), { force: true })
      return settled()
    },
  }
}

/** @returns the first of as many ports in a row that nobody listens at. */
async function freePorts(count: number): Promise<number> {
  for (let first = 21_000; first < 30_000; first += count) {
    const free = await Promise.all(Array.from({ length: count }, (_, place) => isFree(first + place)))
    if (free.every(Boolean)) return first
  }
  throw new Error(`no ${count} ports in a row are free`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
