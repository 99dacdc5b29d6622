/** Standard output and standard error that take nothing, as a file on a full disk does: `/dev/full`. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { panjiHome } from '../../support/panji-cli.ts'

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
const home = panjiHome()
afterAll(() => home.remove())

function intoTheFull(parameters: readonly string[], streams: { out: boolean; err: boolean }, port = '0') {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [main, ...parameters], {
    env: { ...process.env, PANJI_DATA_DIR: home.dataDir, PANJI_SAMPLE: 'off', PORT: port, DATABASE_URL: '' },
    stdio: ['ignore', streams.out ? full : 'pipe', streams.err ? full : 'pipe'],
  })
  let noted = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    noted += chunk.toString()
  })
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, noted })) }
}

test('a command whose answer finds no room says so in a sentence and ends with 1', async () => {
  for (const parameters of [['--help'], ['completion', 'bash'], ['completion', 'bash', '--json']]) {
    expect(await intoTheFull(parameters, { out: true, err: false }).ended).toEqual({
      code: 1,
      noted: 'panji: The output is incomplete, because standard output could not be written: the disk is full.\n',
    })
  }
})

test('a command whose notes find no room answers as ever', async () => {
  expect((await intoTheFull(['--help'], { out: false, err: true }).ended).code).toBe(0)
  expect((await intoTheFull(['rnus'], { out: false, err: true }).ended).code).toBe(2)
})

test('an instance that cannot write output or logs keeps serving, and stops when it is told to', async () => {
  const port = String(await freePort())
  const { child, ended } = intoTheFull(['start'], { out: true, err: true }, port)
  const answers = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status
  await expect.poll(() => answers().catch(() => child.exitCode), { timeout: 60_000 }).toBe(200)
  await fetch(`http://127.0.0.1:${port}/api/access`)
  expect(await answers()).toBe(200)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(1)
})
