/**
 * A record that a first load entered tells of its insert itself; written row by row, the same load leaves that insert in the history. Nobody who
 * reads the history can tell which of the two it was.
 */
import { expect, test } from 'vitest'
import { sources } from '../../../config/sources/index.ts'
import { type RunChange, readChanges } from '../../../src/ingest/conduct/read-changes.ts'
import { getRun } from '../../../src/ingest/run/runs.ts'
import { registers } from '../../../src/registry/history/undo.ts'
import { changed, load, useImpliedSides } from '../../support/implied-sides.ts'

const { told, compare } = useImpliedSides()

const rowsOfHistory = async () =>
  (await told.database.db.query<{ rows: number }>('SELECT count(*) AS rows FROM ingest.change'))[0]?.rows

test('each register whose records tell of their inserts has the triggers that write them, and no other has', async () => {
  const found = await told.database.db.query<{ register: string; events: string }>(
    `SELECT tgrelid::regclass::text AS register, string_agg(encode(tgargs, 'escape') || CASE tgtype & 16 WHEN 0 THEN ' deleted' ELSE ' changed' END, ' ' ORDER BY tgname) AS events
     FROM pg_trigger WHERE tgfoid = 'ingest.write_insert'::regproc GROUP BY tgrelid ORDER BY 1`,
  )
  const telling = sources.filter(({ impliesInserts }) => impliesInserts)
  const wanted = telling.map(({ table, entity, key }) => {
    const args = `${entity}\\000${key}\\000`
    return { register: table, events: `${args} deleted ${args} changed` }
  })
  expect(found).toEqual(wanted.toSorted((one, other) => (one.register < other.register ? -1 : 1)))
  expect(
    Object.values(registers)
      .map(({ table }) => table)
      .toSorted(),
  ).toEqual(telling.map(({ table }) => table).toSorted())
})

test('a first load writes no row of the history, and all that is told of it is told of one that writes them', async () => {
  await compare((side) => load(side, '2025-01-01'))
  expect(await rowsOfHistory()).toBe(0)
})

test('records that change, close or come back keep the insert that they told of, under the number that it had', async () => {
  await compare((side) => load(side, '2025-01-01'))
  const numbers = () =>
    told.database.db.query<object>(
      `SELECT insert_change_id AS id, cin, insert_record_no::bigint AS record FROM registry.company WHERE insert_change_id IS NOT NULL
       UNION ALL SELECT change_id, identifier, record_no FROM ingest.change WHERE entity = 'company' AND kind = 'insert' ORDER BY id`,
    )
  const before = await numbers()
  await compare((side) => load(side, '2025-02-01', changed))
  expect(await rowsOfHistory()).toBeGreaterThan(0)
  expect((await numbers()).slice(0, before.length)).toEqual(before)
  await compare((side) => load(side, '2025-03-01'))
})

test('what a first load entered is listed piece by piece, each record once, however far apart the numbers of its inserts lie', async () => {
  const [run = 0] = await load(told, '2025-01-01')
  await load(told, '2025-02-01', changed)
  await told.database.db.execute(
    `UPDATE registry.company SET insert_change_id = insert_change_id + 100000 WHERE insert_record_no > 6;
     UPDATE ingest.run SET inserted_through = inserted_through + 100000 WHERE inserted_through IS NOT NULL`,
  )
  const whole = await readChanges(told.database.db, run, { after: 0, limit: 1000 })
  expect([whole.more, whole.data.length]).toEqual([false, (await getRun(told.database.db, run)).inserted])
  for (const limit of [1, 2, 5]) {
    const paged: RunChange[] = []
    for (let more = true; more; ) {
      const page = await readChanges(told.database.db, run, { after: paged.at(-1)?.change_id ?? 0, limit })
      paged.push(...page.data)
      more = page.more
    }
    expect(paged).toEqual(whole.data)
  }
})
