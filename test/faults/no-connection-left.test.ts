/** F9: idle clients of others take every connection that the server has. */
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { useOwnDatabase } from './support/own-database.ts'
import { untilAtWork, useQueuedRuns } from './support/queued-runs.ts'
import { expectOnlyShedding, recoveryMs, untilAnswered, useRunningPanji } from './support/running-panji.ts'

const database = useOwnDatabase({ max_connections: '40' })
const panji = useRunningPanji(database)
const runs = useQueuedRuns(database, 10_000)

/** Takes connections until the server refuses, and whatever becomes free later. */
function startHoarding(connectionString: string) {
  const hoard: pg.Client[] = []
  let stopped = false
  const hoarding = (async () => {
    while (!stopped) {
      const client = new pg.Client({ connectionString })
      client.on('error', () => {})
      try {
        await client.connect()
        hoard.push(client)
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  })()
  return {
    held: () => hoard.length,
    async stop() {
      stopped = true
      await hoarding
      await Promise.all(hoard.map((client) => client.end()))
    },
  }
}

test('without a free connection the API sheds at once, and the worker waits and then ends its run', async () => {
  const run = await runs.enqueue()
  await untilAtWork(database.db, run.runId)
  const clients = await Promise.all([0, 1, 2].map(() => panji.startAsking()))
  const hoard = startHoarding(database.url)
  await vi.waitFor(() => expect(hoard.held()).toBeGreaterThan(10), 60_000)
  await database.db.withConnection(async (eyes) => {
    await vi.waitFor(
      async () => {
        // Those that Panji still holds, or was the quicker to take, become the hoarder's, too.
        await eyes.execute(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE application_name LIKE 'panji:%' OR application_name LIKE 'panji-ingest-%'`)
        for (const { answers } of clients)
          expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThan(5)
      },
      { timeout: 60_000, interval: 50 },
    )
  })
  const freed = Date.now()
  const held = hoard.held()
  await hoard.stop()
  await runs.expectSameEnd(run, 60_000)
  await untilAnswered(clients, freed)
  const answers = (await Promise.all(clients.map((client) => client.stop()))).flat()
  expectOnlyShedding(answers)
  const shed = answers.filter(({ status }) => status === 503)
  const slowest = Math.max(...shed.map(({ askedAt, answeredAt }) => answeredAt - askedAt))
  expect(slowest).toBeLessThan(2_000)
  const recovery = Math.max(...clients.map((client) => recoveryMs(client.answers, freed) ?? Number.POSITIVE_INFINITY))
  expect(recovery).toBeLessThan(5_000)
  expect(panji.process.child.exitCode).toBeNull()
  console.log(
    `F9: ${held} connections taken, ${shed.length} answers shed in at most ${slowest} ms, healthy ${recovery} ms after`,
  )
})
