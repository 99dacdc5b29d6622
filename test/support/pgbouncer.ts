/** The machine's PgBouncer in front of a database, in the requested mode. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { freePort } from './free-port.ts'

export type PoolMode = 'session' | 'transaction' | 'statement'

/** It refuses to run as root. */
const nobody = 65_534

export async function startPgBouncer(
  databaseUrl: string,
  mode: PoolMode,
  ignored = 'options',
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const url = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'panji-pgbouncer-'))
  chmodSync(folder, 0o755)
  const start = async () => startAt(await freePort(), { url, folder, mode, ignored })
  // Another process may take a free port first: then it exits at once.
  const started = (await start()) ?? (await start())
  if (started === undefined)
    throw new Error(`PgBouncer ended before it listened: ${readFileSync(join(folder, 'log'), 'utf8')}`)
  const { child, ended, port } = started
  url.port = String(port)
  return {
    url: url.href,
    async close() {
      child.kill('SIGTERM')
      child.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<unknown>
  readonly port: number
}

interface Asked {
  readonly url: URL
  readonly folder: string
  readonly mode: PoolMode
  readonly ignored: string
}

/** @returns undefined where it exited before it listened. */
async function startAt(port: number, { url, folder, mode, ignored }: Asked): Promise<Started | undefined> {
  const file = join(folder, 'pgbouncer.ini')
  const name = url.pathname.slice(1)
  writeFileSync(
    file,
    `[databases]
${name} = host=127.0.0.1 port=${url.port} dbname=${name} user=${url.username} password=${decodeURIComponent(url.password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 60
ignore_startup_parameters = extra_float_digits${ignored === '' ? '' : `,${ignored}`}
`,
  )
  // Whatever the umask: another user reads it.
  chmodSync(file, 0o644)
  const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  const log = openSync(join(folder, 'log'), 'a')
  const child = spawn('pgbouncer', [file], { stdio: ['ignore', 'ignore', log], ...asNobody })
  closeSync(log)
  const ended = once(child, 'exit')
  const listens = async () => child.exitCode === null && (await reach(port))
  const isThere = await vi.waitFor(listens, { timeout: 60_000, interval: 20 })
  return isThere ? { child, ended, port } : undefined
}

/** @throws where nothing listens there. */
async function reach(port: number): Promise<true> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } finally {
    socket.destroy()
  }
}
