/** F5: the database crashes and comes back, in the middle of a run and under the load of API clients. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { useOwnDatabase } from './support/own-database.ts'
import { untilAtWork, useQueuedRuns } from './support/queued-runs.ts'
import { expectOnlyShedding, recoveryMs, untilAnswered, useRunningPanji } from './support/running-panji.ts'
import { soakMs } from './support/seeds.ts'

const database = useOwnDatabase()
const panji = useRunningPanji(database)
const runs = useQueuedRuns(database, 20_000)

/** A soak strikes more steps; each costs the half minute in which the queue notices that nobody works on the job. */
const steps = soakMs > 0 ? ['staging', 'checking', 'merging'] : ['merging']

test.each(steps)(
  'a crash of the database while a run is "%s" costs clients nothing but 503s, and the run nothing',
  async (status) => {
    const run = await runs.enqueue()
    const clients = await Promise.all([0, 1, 2].map(() => panji.startAsking()))
    await untilAtWork(database.db, run.runId, [status])
    await database.crash()
    // The gap that clients see; its length is part of the experiment.
    await delay(2_000)
    const restarting = Date.now()
    await database.restart()
    const accepts = Date.now()
    await runs.expectSameEnd(run, 40_000)
    await untilAnswered(clients, accepts)
    const answers = (await Promise.all(clients.map((client) => client.stop()))).flat()
    expectOnlyShedding(answers)
    expect(answers.filter((answer) => answer.status === 503).length).toBeGreaterThan(0)
    const recovery = Math.max(
      ...clients.map((client) => recoveryMs(client.answers, accepts) ?? Number.POSITIVE_INFINITY),
    )
    expect(recovery).toBeLessThanOrEqual(5_000)
    expect(panji.process.child.exitCode).toBeNull()
    console.log(
      `F5 ${status}: ${answers.length} answers, first success ${recovery} ms after the server accepted (down ${accepts - restarting + 2_000} ms)`,
    )
  },
)
