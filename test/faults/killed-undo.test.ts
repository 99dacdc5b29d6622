/** `kill -9` of a worker at every gap of taking a run back: the register is as it was before, or as it was before the run. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppError } from '../../src/errors.ts'
import { requestUndo } from '../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../src/ingest/conduct/run-snapshot.ts'
import { getRun } from '../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../support/database.ts'
import { stagingTables, useIngest } from '../support/ingest.ts'
import { ChildSupply, startIngestChild } from './support/ingest-children.ts'
import { stuckRuns } from './support/oracles.ts'
import { companySnapshot, dayOf } from './support/snapshots.ts'

const database = useTestDatabase()
const setup = useIngest(database)
const children = new ChildSupply(() => startIngestChild(database.urlAs('panji_worker'), setup.folder))
afterAll(() => children.close())

/** What readers see of the register; runs and history go on. */
async function register(): Promise<string> {
  const [row] = await database.db.query<{ hash: string }>(
    `SELECT md5(string_agg(md5((to_jsonb(c) - 'fingerprint')::text), '' ORDER BY cin)) ||
            (SELECT md5(string_agg(s::text, '' ORDER BY scope)) FROM ingest.scope s) AS hash
     FROM registry.company c`,
  )
  return row?.hash ?? ''
}

let days = 0
async function take(which: 'first' | 'second'): Promise<number> {
  const path = setup.file(`${which}.csv`, companySnapshot(which, 1_000))
  const run = await setup.ingest('mca-companies', path, { asOf: dayOf(++days), force: true })
  expect(run.status).toBe('succeeded')
  return run.run_id
}

beforeAll(() => take('first'))

const points = ['claimed', 'undo-withdrawn', 'undo-restored', 'undone', 'committed']

test.each(points)(
  'a worker killed at "%s" of an undo leaves it whole or not begun, and the repetition ends it',
  async (strikeAt) => {
    const before = await register()
    const wrong = await take('second')
    const after = await register()
    expect(after).not.toBe(before)
    const wish = { runId: wrong, through: false, reason: 'the wrong file', requestedBy: 'operator' }
    const { run_id: runId } = await requestUndo(database.db, setup.queue, wish)

    const child = await children.take()
    child.begin({ runId, strikeAt })
    expect(await child.outcome).toBe('killed')
    const isDone = strikeAt === 'committed'
    expect(await register()).toBe(isDone ? before : after)
    const [undo, undone] = [await getRun(database.db, runId), await getRun(database.db, wrong)]
    expect([undo.status === 'succeeded', undone.undone_by]).toEqual(isDone ? [true, runId] : [false, null])

    // The queue gives the job to another worker.
    expect(await runSnapshot(setup.dependencies(), runId)).toMatchObject({ status: 'succeeded', undoes: [wrong] })
    expect(await register()).toBe(before)
    expect((await getRun(database.db, wrong)).undone_by).toBe(runId)
    expect(await stuckRuns(database.db)).toEqual([])
    expect(await stagingTables(database.db)).toEqual([])
    const changes = await database.db.query(
      `SELECT run_id, entity, identifier FROM ingest.change GROUP BY 1, 2, 3 HAVING count(*) > 1`,
    )
    expect(changes).toEqual([])
  },
)

test('an undo that was asked for twice is done once', async () => {
  const before = await register()
  const wrong = await take('second')
  const wish = { runId: wrong, through: false, reason: 'twice', requestedBy: 'operator' }
  const asked = await Promise.all([1, 2].map(() => requestUndo(database.db, setup.queue, wish)))
  const ended = []
  for (const { run_id } of asked) {
    const run = runSnapshot(setup.dependencies(), run_id)
    ended.push(
      await run.then(
        ({ status }) => status,
        (error: unknown) => (error as AppError).code,
      ),
    )
  }
  expect(ended).toEqual(['succeeded', 'CONFLICT'])
  expect((await getRun(database.db, asked[1]?.run_id ?? 0)).status).toBe('failed')
  expect(await register()).toBe(before)
})
