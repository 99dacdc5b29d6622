/** F6: connections are ended one after the other while a run is at work and clients ask. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { workerIsPresent } from '../../src/queue/worker-presence.ts'
import { useOwnDatabase } from './support/own-database.ts'
import { untilAtWork, useQueuedRuns } from './support/queued-runs.ts'
import { expectOnlyShedding, useRunningPanji } from './support/running-panji.ts'
import { firstSeed, randomOf, soakMs } from './support/seeds.ts'

const database = useOwnDatabase()
const panji = useRunningPanji(database)
const runs = useQueuedRuns(database, 10_000)
const strikeEveryMs = 200
const connectionsOfPanji = `FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'panji%'
  AND application_name NOT LIKE 'panji-test%'`

test('a stream of ended connections costs 503s, no process, no pooled connection and no row', async () => {
  const random = randomOf(firstSeed)
  const clients = await Promise.all([0, 1, 2].map(() => panji.startAsking()))
  const run = await runs.enqueue()
  await untilAtWork(database.db, run.runId)
  const until = Date.now() + Math.max(10_000, soakMs)
  let ended = 0
  while (Date.now() < until) {
    const pids = await database.db.query<{ pid: number }>(`SELECT pid ${connectionsOfPanji}`)
    const victim = pids[Math.floor(random() * pids.length)]
    if (victim) ended += await database.db.execute('SELECT pg_terminate_backend($1)', [victim.pid])
    // The rate of the experiment: five connections a second.
    await delay(strikeEveryMs)
  }
  await runs.expectSameEnd(run, 60_000)
  const answers = (await Promise.all(clients.map((client) => client.stop()))).flat()
  expectOnlyShedding(answers)
  expect(ended).toBeGreaterThan(30)
  expect(panji.process.child.exitCode).toBeNull()

  // A client that the pool had lost for good would lower what it can serve at once, and never come back.
  const together = await Promise.all(Array.from({ length: 60 }, () => panji.ask()))
  expect(new Set(together.map(({ status }) => status))).toEqual(new Set([200]))
  await vi.waitFor(async () => expect(await workerIsPresent(database.db)).toBe(true), {
    timeout: 60_000,
    interval: 100,
  })
  const shed = answers.filter(({ status }) => status === 503).length
  console.log(`F6: ${ended} connections ended, ${shed} of ${answers.length} answers were 503`)
})
