/** The machine's PgBouncer before a database, in the mode that a test asks for. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
  const port = await freePort()
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
    { mode: 0o644 },
  )
  const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  const child = spawn('pgbouncer', [file], { stdio: 'ignore', ...asNobody })
  const ended = once(child, 'exit')
  await vi.waitFor(() => reach(port), { timeout: 5_000, interval: 20 })
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

async function reach(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}
