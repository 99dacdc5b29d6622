/** Ctrl-C reaches every process of the terminal's group, the wrapper and Panji; it is one request to stop. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { workerIsPresent } from '../../src/queue/worker-presence.ts'
import { useTestDatabase } from '../support/database.ts'
import { type PanjiHome, panjiHome } from '../support/panji-cli.ts'

const program = fileURLToPath(new URL('../../bin/panji.mjs', import.meta.url))
/** The wrapper believes that the machine has another Node, so Panji is a child of its own. */
const olderNode = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.0.0'}})`
const database = useTestDatabase()
let home: PanjiHome
let group: number | undefined
afterEach(() => {
  try {
    if (group !== undefined) process.kill(-group, 'SIGKILL')
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' })
  }
  home.remove()
})

async function startWorker() {
  home = panjiHome()
  const env = {
    ...process.env,
    ...{ PANJI_DATA_DIR: home.dataDir, DATABASE_URL: database.url, LOG_LEVEL: 'warn' },
    PANJI_SECRET_KEY: 'secret-key-of-the-terminal-0123456789',
  }
  const wrapper = spawn(process.execPath, ['--import', olderNode, program, 'start', '--role', 'worker'], {
    ...{ env, detached: true, stdio: 'ignore' },
  })
  const ended = once(wrapper, 'exit').then(([code]) => code as number | null)
  group = wrapper.pid ?? expect.unreachable()
  await vi.waitFor(async () => expect(await workerIsPresent(database.db)).toBe(true), { timeout: 60_000, interval: 50 })
  return { group, ended }
}

test('Ctrl-C at a terminal stops Panji in order, although the wrapper passes it on', async () => {
  const worker = await startWorker()
  process.kill(-worker.group, 'SIGINT')
  expect(await worker.ended).toBe(0)
}, 90_000)

test('another signal after the first ends Panji at once', async () => {
  const worker = await startWorker()
  process.kill(-worker.group, 'SIGINT')
  process.kill(-worker.group, 'SIGTERM')
  expect(await worker.ended).toBe(130)
}, 90_000)
