/** F1, F2: `kill -9` of a worker at every boundary of a run, and at random moments across the whole of it. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { figure } from '../support/figures.ts'
import { ChildSupply, startIngestChild } from './support/ingest-children.ts'
import { firstSeed, randomOf, seedCount } from './support/seeds.ts'
import { useTwins } from './support/twins.ts'

const twins = useTwins(figure(1000, 2000))
const children = new ChildSupply(() => startIngestChild(twins.struck.urlAs('panji_worker'), twins.folder))
/** Milliseconds that an undisturbed run takes in a child; kills are spread over all of it. */
let wholeRunMs = Number.POSITIVE_INFINITY
let kills = 0
let tried = 0

beforeAll(async () => {
  for (const _ of [1, 2, 3]) {
    const { runId, expected } = await twins.nextRun()
    const child = await children.take()
    const started = performance.now()
    child.begin({ runId })
    await child.done
    wholeRunMs = Math.min(wholeRunMs, performance.now() - started)
    expect(await child.outcome).toBe('succeeded')
    await twins.expectSameEnd(runId, expected)
  }
})
afterAll(async () => {
  await children.close()
  console.log(`F1: ${kills} of ${tried} seeds struck a run that took ${Math.round(wholeRunMs)} ms undisturbed`)
  // Kills that come too late prove nothing; one round alone may have them.
  if (tried >= seedCount) expect(kills, 'most seeds struck a run at work').toBeGreaterThan(tried / 2)
})

test.each([
  'claimed',
  'fetched',
  'staging',
  'staged',
  'checked',
  'merge-written',
  'merge-closed',
  'merged',
  'committed',
])('a worker killed at "%s" and run again leaves the tables of an uninterrupted run', async (strikeAt) => {
  const { runId, expected } = await twins.nextRun()
  expect(expected).toMatchObject({ status: 'succeeded', rejected: 3 })
  expect(expected.updated + expected.inserted).toBeGreaterThan(100)
  const child = await children.take()
  child.begin({ runId, strikeAt })
  expect(await child.outcome).toBe('killed')
  await twins.expectSameEnd(runId, expected)
})

/** Three kills per run: the second and third strike what the first left. */
const rounds = Array.from({ length: Math.ceil(seedCount / 3) }, (_, round) =>
  [0, 1, 2].map((kill) => firstSeed + 3 * round + kill),
)

test.each(rounds)(
  'a worker killed at the moments of the seeds %i, %i and %i leaves the tables of an uninterrupted run',
  async (...seeds) => {
    let { runId, expected } = await twins.nextRun()
    for (const seed of seeds) {
      const child = await children.take()
      tried += 1
      child.begin({ runId })
      await Promise.race([child.done, delay(randomOf(seed)() * wholeRunMs)])
      child.process.kill('SIGKILL')
      if ((await child.outcome) === 'killed') kills += 1
      else {
        // The machine was faster than the seed; the next seed strikes a run of its own.
        await twins.expectSameEnd(runId, expected)
        ;({ runId, expected } = await twins.nextRun())
      }
    }
    await twins.expectSameEnd(runId, expected)
  },
)
