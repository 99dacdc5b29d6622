/** `panji logs` reads what a start has kept: filtered, followed, across a new file, and never as more than text. */
import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keptLog, logFileIn } from '../../../src/cli/kept-log.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { runPanji } from '../../support/panji-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'panji-logs-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A data directory with a log of its own. */
function instance(bytes?: number) {
  const path = logFileIn(mkdtempSync(join(folder, 'data-')))
  const env = { PANJI_DATA_DIR: join(path, '..') }
  const log = createLogger('info', keptLog(path, bytes))
  const logs = (...options: string[]) => runPanji(['logs', ...options], env)
  const json = async (...options: string[]) =>
    JSON.parse((await logs(...options, '--json')).stdout) as { msg: string; runId?: number }[]
  return {
    path,
    env,
    log,
    logs,
    messages: async (...options: string[]) => (await json(...options)).map(({ msg }) => msg),
  }
}

test('the last lines are shown, by level, by run and by source', async () => {
  const { log, logs, messages } = instance()
  log.info({ runId: 12, source: 'nic' }, 'run ended')
  log.warn({ source: 'pincodes' }, 'a periodic check failed')
  log.error({ err: new Error('away') }, 'the schedules could not be read')
  expect(await messages()).toEqual(['run ended', 'a periodic check failed', 'the schedules could not be read'])
  expect(await messages('--level', 'warn')).toEqual(['a periodic check failed', 'the schedules could not be read'])
  expect(await messages('--run', '12')).toEqual(['run ended'])
  expect(await messages('--source', 'pincodes')).toEqual(['a periodic check failed'])
  expect(await messages('--lines', '1')).toEqual(['the schedules could not be read'])
  expect(await messages('--lines', '0')).toEqual([])
  expect((await logs('--run', '12')).stdout).toMatch(/INFO.*run ended[\s\S]*runId: 12/)
  expect((await logs('--run', '99')).stdout).toBe('no matching log lines\n')
})

test('instants are those of India with their day, wherever the machine stands; with --json they stay as they were kept', async () => {
  const { path, env } = instance()
  appendFileSync(path, `${JSON.stringify({ level: 30, time: Date.parse('2026-11-24T20:40:24Z'), msg: 'run ended' })}\n`)
  const inNewYork = await runPanji(['logs'], { ...env, TZ: 'America/New_York' })
  expect(inNewYork.stdout).toContain('[2026-11-25 02:10:24 IST] INFO: run ended')
  const kept = await runPanji(['logs', '--json'], { ...env, TZ: 'America/New_York' })
  expect(JSON.parse(kept.stdout)).toMatchObject([{ time: Date.parse('2026-11-24T20:40:24Z') }])
})

test('a file that is full makes room for the next, and both are read; it is for its owner alone', async () => {
  const { path, log, messages } = instance(1_200)
  for (let n = 0; n < 40; n++) log.info(`line ${n}`)
  expect(statSync(path).size).toBeLessThanOrEqual(1_200)
  expect(statSync(`${path}.1`).size).toBeLessThanOrEqual(1_200)
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
  const told = await messages('--lines', '20')
  expect(told).toEqual(Array.from({ length: 20 }, (_, n) => `line ${n + 20}`))
})

test('with --follow it shows new lines, also from the next file, until Ctrl-C', async () => {
  const { path, env, log } = instance(1_200)
  log.info('before')
  const stop = new AbortController()
  let done = false
  const following = runPanji(['logs', '--follow', '--json'], env, stop.signal).finally(() => {
    done = true
  })
  for (let n = 0; n < 40; n++) {
    log.info(`line ${n}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(statSync(`${path}.1`).size).toBeGreaterThan(0)
  expect(done).toBe(false)
  stop.abort()
  const { code, stdout } = await following
  expect(code).toBe(0)
  const told = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg)
  expect(told).toEqual(['before', ...Array.from({ length: 40 }, (_, n) => `line ${n}`)])
})

test('a line that a killed process left half is passed over, and what would act on a terminal is shown', async () => {
  const { path, log, logs, messages } = instance()
  log.info('\u001b[31mred')
  appendFileSync(path, '{"level":30,"time":1,"msg":"hal\n')
  log.info('after')
  expect(await messages()).toEqual(['\u001b[31mred', 'after'])
  expect((await logs()).stdout).not.toContain('\u001b')
})

test('where there is none, it says what writes one; beside DATABASE_URL, whom to ask', async () => {
  const empty = await runPanji(['logs'], { PANJI_DATA_DIR: mkdtempSync(join(folder, 'none-')) })
  expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('panji start')])
  const other = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', PANJI_SECRET_KEY: 'sixteen-characters-long' }
  const elsewhere = await runPanji(['logs'], { PANJI_DATA_DIR: folder, ...other })
  expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining('journalctl')])
  const wrong = await runPanji(['logs', '--level', 'loud'], { PANJI_DATA_DIR: folder })
  expect(wrong.code).toBe(2)
})

test('a folder that is gone costs lines, not the process', () => {
  const { path } = instance()
  const log = keptLog(path)
  rmSync(join(path, '..'), { recursive: true })
  expect(() => log.write('a line\n')).not.toThrow()
})

test('a full disk costs lines, not the process', () => {
  const path = join(folder, 'no', 'such', 'folder.log')
  expect(() => keptLog('/dev/full').write('a line\n')).not.toThrow()
  expect(() => keptLog(path).write('a line\n')).toThrow('ENOENT')
})
