/** Whatever operators put right in the registers: where records tell of their inserts themselves, it ends as where the history has a row of each. */
import { expect, test } from 'vitest'
import { addSuppressions } from '../../../src/access/suppressions.ts'
import { pruneHistory } from '../../../src/ingest/after/prune-history.ts'
import { removeSample } from '../../../src/ingest/after/remove-sample.ts'
import { lowerScopes } from '../../../src/ingest/conduct/lower-scopes.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { sampleRequester } from '../../../src/ingest/run/sample-world.ts'
import { eraseObjected } from '../../../src/suppression/erase-objected.ts'
import { changed, knownDirector, load, type Side, useImpliedSides } from '../../support/implied-sides.ts'
import { registerContents } from '../../support/ingest.ts'

const { told, written, compare } = useImpliedSides()

async function undoAll({ database, queue, dependencies }: Side, runs: readonly number[]): Promise<unknown> {
  const counts: unknown[] = []
  for (const runId of runs) {
    const wish = { runId, through: false, reason: 'the wrong file', requestedBy: 'operator' }
    const { run_id } = await requestUndo(database.db, queue, wish)
    const { status, updated, closed } = await runSnapshot(dependencies(), run_id)
    counts.push({ status, updated, closed })
  }
  return counts
}

test('an undo, of what came later and of the first load itself, leaves both alike, and so does the load after it', async () => {
  await compare((side) => load(side, '2025-01-01'))
  await compare((side) => load(side, '2025-02-01', changed))
  await compare((side) => undoAll(side, [10, 9, 8, 7, 6]))
  await compare((side) => undoAll(side, [1, 2, 3, 4, 5]))
  await compare((side) => load(side, '2025-01-15'))
  // What was taken back before it goes, as the record tells of an insert since.
  await compare(({ database }) => pruneHistory(database.db, '2025-01-20'))
  await compare((side) => load(side, '2025-02-01', changed))
})

test('days that are lowered, history that is thinned out and a sample that goes leave both alike, and count the same', async () => {
  await compare((side) => load(side, '2025-01-15', undefined, sampleRequester))
  await compare(({ database: { db } }) =>
    db.transaction((tx) => lowerScopes(tx, { source: 'mca-companies', to: '2025-01-01' })),
  )
  await compare((side) => load(side, '2025-02-01', changed))
  await compare(({ database }) => pruneHistory(database.db, '2025-02-15'))
  await compare(({ database, queue }) => database.db.transaction((tx) => removeSample(tx, queue)))
})

test('of a director who objects nothing is left in the history, whoever tells of it', async () => {
  await compare((side) => load(side, '2025-01-01'))
  await compare(async ({ database: { db }, queue }) => {
    await db.transaction((tx) =>
      addSuppressions(tx, queue, { objections: [{ kind: 'din', value: knownDirector }], actor: 'operator' }),
    )
    await eraseObjected(db)
  })
  const rows = `SELECT FROM registry.director WHERE din = $1 AND insert_change_id IS NOT NULL`
  expect(await told.database.db.query(rows, [knownDirector])).toEqual([])
})

test('before a way back to a release that knows none of it, all that records tell is written', async () => {
  await compare((side) => load(side, '2025-01-01'))
  await compare((side) => load(side, '2025-02-01', changed))
  const toldBefore = await registerContents(told.database.db)
  await told.database.db.query('SELECT ingest.write_inserts()')
  expect(await registerContents(told.database.db)).toEqual(toldBefore)
  const rows = `SELECT count(*) AS rows FROM ingest.change`
  expect(await told.database.db.query(rows)).toEqual(await written.database.db.query(rows))
  await compare(async () => undefined)
})
