/** F7: the network to the database dies silently: bytes vanish, and no socket hears of it. */
import { expect, test, vi } from 'vitest'
import { useOwnDatabase } from './support/own-database.ts'
import { untilAtWork, useQueuedRuns } from './support/queued-runs.ts'
import { expectOnlyShedding, recoveryMs, untilAnswered, useRunningPanji } from './support/running-panji.ts'

/** No statement waits longer than this for a server that is gone. */
const noticedWithinMs = 30_000

const database = useOwnDatabase()
const panji = useRunningPanji(database)
const runs = useQueuedRuns(database, 20_000)

test.each([
  { which: 'all', what: 'all connections die, and new ones too' },
  { which: 'open', what: 'open connections die, and new ones work' },
] as const)(
  'when $what, it is noticed within half a minute, and the run ends as if nothing had been',
  async ({ which }) => {
    const run = await runs.enqueue()
    const clients = await Promise.all([0, 1, 2].map(() => panji.startAsking()))
    await untilAtWork(database.db, run.runId, ['merging'])
    const died = Date.now()
    database.proxy.blackHole(which)
    // Nobody hangs: each client is given an answer to something that it asked after the network died.
    await vi.waitFor(
      () => {
        for (const { answers } of clients) expect(answers.some(({ askedAt }) => askedAt > died)).toBe(true)
      },
      { timeout: noticedWithinMs, interval: 50 },
    )
    const noticed = Date.now()
    database.proxy.heal()
    await runs.expectSameEnd(run, 60_000)
    await untilAnswered(clients, noticed)
    const answers = (await Promise.all(clients.map((client) => client.stop()))).flat()
    expectOnlyShedding(answers)
    const longest = Math.max(...answers.map(({ askedAt, answeredAt }) => answeredAt - askedAt))
    expect(longest).toBeLessThanOrEqual(noticedWithinMs)
    const recovery = Math.max(
      ...clients.map((client) => recoveryMs(client.answers, noticed) ?? Number.POSITIVE_INFINITY),
    )
    expect(recovery).toBeLessThanOrEqual(noticedWithinMs)
    expect(panji.process.child.exitCode).toBeNull()
    console.log(
      `F7 ${which}: noticed after ${noticed - died} ms, longest answer ${longest} ms, healthy ${recovery} ms later`,
    )
  },
)
