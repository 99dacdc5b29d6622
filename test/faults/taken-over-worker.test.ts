/** F16: the same run in two workers at once, and a worker that sleeps through its own takeover and wakes. */
import { readFile } from 'node:fs/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { readRun } from '../../src/ingest/run/runs.ts'
import { figure } from '../support/figures.ts'
import { startIngestChild } from './support/ingest-children.ts'
import { fingerprint } from './support/oracles.ts'
import { useTwins } from './support/twins.ts'

const twins = useTwins(figure(1000, 2000))
const asleep = new Set<ReturnType<typeof startIngestChild>>()
const start = async () => {
  const child = startIngestChild(twins.struck.urlAs('panji_worker'), twins.folder)
  asleep.add(child)
  await child.ready
  return child
}
afterAll(async () => {
  for (const child of asleep) child.process.kill('SIGKILL')
  await Promise.all([...asleep].map(({ outcome }) => outcome))
})

test.each(['claimed', 'staging', 'checked', 'merge-written', 'merge-closed', 'merged'])(
  'a worker that falls asleep at "%s", is taken over and wakes, writes nothing more',
  async (strikeAt) => {
    const { runId, expected } = await twins.nextRun()
    const sleeper = await start()
    sleeper.begin({ runId, strikeAt, signal: 'SIGSTOP' })
    await vi.waitFor(async () => expect(await isStopped(sleeper.process.pid)).toBe(true), {
      timeout: 60_000,
      interval: 5,
    })
    // The sleeper may hold the lock on the run's row; the takeover must not wait for it.
    await twins.expectSameEnd(runId, expected)
    const before = await fingerprint(twins.struck.db)
    const record = await readRun(twins.struck.db, runId)
    sleeper.process.kill('SIGCONT')
    expect(await sleeper.outcome).not.toBe('succeeded')
    expect(await fingerprint(twins.struck.db)).toEqual(before)
    expect(await readRun(twins.struck.db, runId)).toEqual(record)
    await twins.expectSameTables()
  },
)

test('a run delivered to two workers at the same moment is applied once', async () => {
  for (let round = 0; round < figure(1, 3); round++) {
    const { runId, expected } = await twins.nextRun()
    const both = await Promise.all([start(), start()])
    for (const child of both) child.begin({ runId })
    await Promise.all(both.map(({ outcome }) => outcome))
    await twins.expectSameEnd(runId, expected)
  }
})

/** State T in /proc; the letter follows the command's name in parentheses. */
async function isStopped(pid: number | undefined): Promise<boolean> {
  return / T /.test((await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\)/, ''))
}
