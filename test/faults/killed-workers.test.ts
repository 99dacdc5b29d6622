/** F4: two worker processes; one of them is killed again and again, and comes back. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queues } from '../../src/queue/queues.ts'
import { useTestDatabase } from '../support/database.ts'
import { figure } from '../support/figures.ts'
import { panjiHome } from '../support/panji-cli.ts'
import type { NodeProcess } from '../support/run-node.ts'
import { stuckRuns } from './support/oracles.ts'
import { untilAtWork, useQueuedRuns } from './support/queued-runs.ts'
import { firstSeed, randomOf, soakMs } from './support/seeds.ts'

const database = useTestDatabase()
const runs = useQueuedRuns(database, 20_000)
const home = panjiHome({ DATABASE_URL: database.url, PANJI_SECRET_KEY: 'secret-key-of-the-faults-0123456789' })
const monitorSeconds = 5
/** After the last kill the run is taken up within heartbeat + monitor + 10 s, and then takes its own time. */
const recoveryMsMax = (queues.ingestSnapshot.heartbeatSeconds + monitorSeconds + 10) * 1000
const ownTimeMs = 30_000
/** Every worker that was ever started; the two at work are in `workers`. */
const started: NodeProcess[] = []
let workers: NodeProcess[] = []

async function startWorker(): Promise<NodeProcess> {
  const worker = home.run('start', '--role', 'worker')
  started.push(worker)
  await worker.line('Ctrl-C stops.')
  return worker
}
beforeAll(async () => {
  workers = await Promise.all([startWorker(), startWorker()])
})
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL')
  await Promise.all(started.map(({ ended }) => ended))
  home.remove()
})

test('whichever worker dies, and however often, every run ends soon and as if nobody had died', async () => {
  const random = randomOf(firstSeed)
  const until = Date.now() + Math.max(figure(0, 30_000), soakMs)
  let kills = 0
  let slowest = 0
  while (Date.now() < until || kills < 2) {
    const run = await runs.enqueue()
    await untilAtWork(database.db, run.runId)
    await delay(random() * 500)
    const victim = random() < 0.5 ? 0 : 1
    workers[victim]?.child.kill('SIGKILL')
    await workers[victim]?.ended
    const killed = Date.now()
    kills += 1
    const replacement = startWorker()
    await runs.expectSameEnd(run, recoveryMsMax + ownTimeMs)
    slowest = Math.max(slowest, Date.now() - killed)
    workers[victim] = await replacement
  }
  expect(await stuckRuns(database.db)).toEqual([])
  console.log(`F4: ${kills} workers killed, the slowest run ended ${(slowest / 1000).toFixed(1)} s after`)
})
