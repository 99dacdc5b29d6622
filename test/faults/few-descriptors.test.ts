/** A process that may open few files, as by a limit of its machine, while somebody opens connections. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** @returns once the server has taken it or turned it away. */
async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

test('more connections than there are file descriptors end nothing: once they are gone the same process answers', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'panji-descriptors-'))
  chmodSync(dataDir, 0o755)
  const child = spawn('sh', ['-c', 'ulimit -n 256; exec "$@"', 'sh', process.execPath, main, 'start', '--json'], {
    env: {
      ...process.env,
      ...{ PORT: '0', PANJI_DATA_DIR: dataDir, DATABASE_URL: database.url, LOG_LEVEL: 'silent' },
      ...{
        PANJI_SECRET_KEY: 'secret-key-of-few-descriptors',
        PANJI_OPERATOR_TOKEN: 'operator-token-of-few-descriptors',
      },
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  try {
    const lines = createInterface({ input: child.stdout })
    const address = await new Promise<string>((resolve) => {
      lines.on('line', (line) => {
        const [found] = /http:[^"]+/.exec(line.includes('"api_url"') ? line : '') ?? []
        if (found !== undefined) resolve(found)
      })
    })
    const sockets = await Promise.all(Array.from({ length: 400 }, () => opened(Number(new URL(address).port))))
    expect(
      await fetch(`${address}/healthz`).then(
        ({ status }) => status,
        () => 'turned away',
      ),
    ).toBe('turned away')
    // They stay while the process looks at its own memory a few times, for which it opens a file.
    await Promise.race([ended, delay(5_000)])
    for (const socket of sockets) socket.destroy()
    const health = async () => (await fetch(`${address}/readyz`)).status
    await vi.waitFor(async () => expect(await health()).toBe(200), { timeout: 60_000, interval: 100 })
    expect(child.exitCode).toBeNull()
  } finally {
    child.kill('SIGKILL')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  }
}, 120_000)
