/**
 * A record that a first load entered tells of its insert itself; written row by row, the same load leaves that insert in the history. Nobody who
 * reads the history can tell which of the two it was, whatever is done to the registers afterwards.
 */
import { readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { addSuppressions } from '../../../src/access/suppressions.ts'
import { pruneHistory } from '../../../src/ingest/after/prune-history.ts'
import { removeSample, sampleRequester } from '../../../src/ingest/after/remove-sample.ts'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { lowerScopes } from '../../../src/ingest/conduct/lower-scopes.ts'
import { type RunChange, readChanges } from '../../../src/ingest/conduct/read-changes.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { getRun } from '../../../src/ingest/run/runs.ts'
import { eraseObjected } from '../../../src/suppression/erase-objected.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters, emptyTables } from '../../support/empty-tables.ts'
import { historyAnswers } from '../../support/history-answers.ts'
import { registerContents, registryFixture, useIngest } from '../../support/ingest.ts'

const [told, written] = [useTestDatabase(), useTestDatabase()]
const sides = [
  { database: told, ...useIngest(told), asideFrom: 0 },
  { database: written, ...useIngest(written), asideFrom: Number.POSITIVE_INFINITY },
] as const
type Side = (typeof sides)[number]

const fixtures = {
  'mca-companies': 'mca-companies-2023.csv',
  'gst-taxpayers': 'gst-taxpayers.csv',
  'mca-directors': 'mca-directors.csv',
  'mca-directorships': 'mca-directorships.csv',
  contacts: 'contacts.csv',
} as const
const [company, director] = ['U85100GA2022PTC015001', '00012345']
const asked = {
  records: [
    ['company', company],
    ['company', 'U01110GA2023PTC015002'],
    ['director', director],
    ['director', '00098765'],
    ['gst', '27AAACR5055K1Z7'],
    ['gst', '29AAICA3918J1ZE'],
  ],
  days: ['2024-12-31', '2025-01-01', '2025-01-15', '2025-02-01', '2025-03-01'],
} as const

beforeEach(async () => {
  for (const { database } of sides) {
    await emptyRegisters(database.db)
    await emptyTables(database.db, ['ingest.history_retention', 'access.suppression'])
    await database.db.execute('ALTER SEQUENCE ingest.run_run_id_seq RESTART')
  }
})

/** @returns the run of each source. */
async function load(side: Side, asOf: string, change = (text: string) => text, by = 'operator'): Promise<number[]> {
  const runs: number[] = []
  for (const [source, name] of Object.entries(fixtures)) {
    const path = side.file(`${asOf}-${name}`, change(readFileSync(registryFixture(name), 'latin1')))
    const options = { asOf, force: true, requestedBy: by, deps: { asideFrom: side.asideFrom } }
    const run = await side.ingest(source, path, options)
    if (run.status === 'needs_approval') {
      await approveRun(side.database.db, side.queue, run.run_id)
      await runSnapshot({ ...side.dependencies(), asideFrom: side.asideFrom }, run.run_id)
    }
    runs.push(run.run_id)
  }
  return runs
}

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

/** Everything that a reader is told, after the same was done on both sides. */
async function compare(act: (side: Side) => Promise<unknown>): Promise<void> {
  const [one, other] = [await act(sides[0]), await act(sides[1])]
  expect(one).toEqual(other)
  const answers = async ({ database }: Side) => ({
    answers: await historyAnswers(database.db, asked),
    contents: await registerContents(database.db),
  })
  expect(await answers(sides[0])).toEqual(await answers(sides[1]))
}

const rowsOfHistory = async () =>
  (await told.db.query<{ rows: number }>('SELECT count(*) AS rows FROM ingest.change'))[0]?.rows

/** Some records change, some are gone, some come anew. */
const changed = (text: string): string =>
  text
    .split('\n')
    .filter((_, at) => at !== 3)
    .join('\n')
    .replaceAll(',Active', ',Dormant')
    .replaceAll('Managing Director', 'Director')
    .replaceAll('Office@', 'desk@')

test('a first load writes no row of the history, and all that is told of it is told of one that writes them', async () => {
  await compare((side) => load(side, '2025-01-01'))
  expect(await rowsOfHistory()).toBe(0)
})

test('records that change, close or come back keep the insert that they told of, under the number that it had', async () => {
  await compare((side) => load(side, '2025-01-01'))
  const numbers = () =>
    told.db.query<object>(
      `SELECT insert_change_id AS id, cin, insert_record_no::bigint AS record FROM registry.company WHERE insert_change_id IS NOT NULL
       UNION ALL SELECT change_id, identifier, record_no FROM ingest.change WHERE entity = 'company' AND kind = 'insert' ORDER BY id`,
    )
  const before = await numbers()
  await compare((side) => load(side, '2025-02-01', changed))
  expect(await rowsOfHistory()).toBeGreaterThan(0)
  expect((await numbers()).slice(0, before.length)).toEqual(before)
  await compare((side) => load(side, '2025-03-01'))
})

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

test('what a first load entered is listed piece by piece, each record once, however far apart the numbers of its inserts lie', async () => {
  const [side] = sides
  const [run = 0] = await load(side, '2025-01-01')
  await load(side, '2025-02-01', changed)
  await told.db.execute(
    `UPDATE registry.company SET insert_change_id = insert_change_id + 100000 WHERE insert_record_no > 6;
     UPDATE ingest.run SET inserted_through = inserted_through + 100000 WHERE inserted_through IS NOT NULL`,
  )
  const whole = await readChanges(told.db, run, { after: 0, limit: 1000 })
  expect([whole.more, whole.data.length]).toEqual([false, (await getRun(told.db, run)).inserted])
  for (const limit of [1, 2, 5]) {
    const paged: RunChange[] = []
    for (let more = true; more; ) {
      const page = await readChanges(told.db, run, { after: paged.at(-1)?.change_id ?? 0, limit })
      paged.push(...page.data)
      more = page.more
    }
    expect(paged).toEqual(whole.data)
  }
})

test('of a director who objects nothing is left in the history, whoever tells of it', async () => {
  await compare((side) => load(side, '2025-01-01'))
  await compare(async ({ database: { db }, queue }) => {
    await db.transaction((tx) =>
      addSuppressions(tx, queue, { objections: [{ kind: 'din', value: director }], actor: 'operator' }),
    )
    await eraseObjected(db)
  })
  const rows = `SELECT FROM registry.director WHERE din = $1 AND insert_change_id IS NOT NULL`
  expect(await told.db.query(rows, [director])).toEqual([])
})

test('before a way back to a release that knows none of it, all that records tell is written', async () => {
  await compare((side) => load(side, '2025-01-01'))
  await compare((side) => load(side, '2025-02-01', changed))
  const toldBefore = await registerContents(told.db)
  await told.db.query('SELECT ingest.write_inserts()')
  expect(await registerContents(told.db)).toEqual(toldBefore)
  const rows = `SELECT count(*) AS rows FROM ingest.change`
  expect(await told.db.query(rows)).toEqual(await written.db.query(rows))
  await compare(async () => undefined)
})
