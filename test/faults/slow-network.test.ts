/** F8: every packet to and from the database is 100 ms late, give or take 50, so that each statement takes 200 ms more. */
import { expect, test } from 'vitest'
import { useOwnDatabase } from './support/own-database.ts'
import { useQueuedRuns } from './support/queued-runs.ts'
import { expectOnlyShedding, useRunningPanji } from './support/running-panji.ts'
import { firstSeed, randomOf } from './support/seeds.ts'

const database = useOwnDatabase()
const panji = useRunningPanji(database)
const runs = useQueuedRuns(database, 4_000)

test('over a slow network a run ends within its bound, and clients are answered or shed', async () => {
  database.proxy.slowDown(100, 50, randomOf(firstSeed))
  const clients = await Promise.all([0, 1].map(() => panji.startAsking()))
  const started = Date.now()
  await runs.expectSameEnd(await runs.enqueue(), 90_000)
  const seconds = (Date.now() - started) / 1000
  const answers = (await Promise.all(clients.map((client) => client.stop()))).flat()
  database.proxy.heal()
  expectOnlyShedding(answers)
  const times = answers.map(({ askedAt, answeredAt }) => answeredAt - askedAt).sort((a, b) => a - b)
  const p99 = times[Math.floor(times.length * 0.99)] ?? 0
  expect(p99).toBeLessThan(5_000)
  console.log(`F8: the run took ${seconds.toFixed(1)} s, p99 of ${times.length} details ${p99} ms`)
})
