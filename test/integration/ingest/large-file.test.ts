/** A file of more than eight megabytes is checked by two connections, each of which reads half of its rows. */
import { expect, test, vi } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { stagingTables, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

const header = 'cin,company_name,status,authorized_capital,paidup_capital,class'
const cinOf = (n: number) => `U85100GA2022PTC${String(n).padStart(6, '0')}`
const rowOf = (cin: string, n: number) =>
  `${cin},COMPANY ${n} ${'OF A LONG NAME '.repeat(30)}LIMITED,Active,100000,${n},Private`
const count = 20_000
/** In either half one that is no CIN, and of the same company one row in each. */
const rows = Array.from({ length: count }, (_, n) => {
  if (n === 20) return rowOf('NO CIN', n)
  if (n === count - 20) return rowOf('NONE EITHER', n)
  return rowOf(cinOf(n === count - 10 ? 10 : n), n)
})

test('every row of a large file is checked once, whichever half it stands in, and a reject tells its own line', async () => {
  const text = `${[header, ...rows].join('\n')}\n`
  expect(text.length).toBeGreaterThan(8_192_000)
  const run = await ingest('mca-companies', file('large.csv', text))
  expect(run).toMatchObject({ status: 'succeeded', rows_read: count, inserted: count - 3, rejected: 3 })
  expect(
    await database.db.query('SELECT line, code, raw FROM ingest.reject WHERE run_id = $1 ORDER BY line', [run.run_id]),
  ).toEqual([
    { line: 12, code: 'duplicate_in_file', raw: rows[10] },
    { line: 22, code: 'cin_malformed', raw: rows[20] },
    { line: count - 18, code: 'cin_malformed', raw: rows[count - 20] },
  ])
  const [kept] = await database.db.query(
    'SELECT count(*) AS companies, count(DISTINCT cin) AS cins, max(paid_up_capital) FILTER (WHERE cin = $1) AS last FROM registry.company',
    [cinOf(10)],
  )
  expect(kept).toEqual({ companies: count - 3, cins: count - 3, last: count - 10 })
  expect(await stagingTables(database.db)).toEqual([])
})

test('where the connection of one half is lost, nothing is left of either, and the next attempt reads the file whole', async () => {
  const { db } = database
  await emptyRegisters(db)
  const path = file('lost.csv', `${[header, ...rows].join('\n')}\n`)
  const attempt = ingest('mca-companies', path).catch((error: unknown) => error)
  await vi.waitFor(
    async () =>
      expect(
        await db.query(
          `SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a JOIN pg_locks l USING (pid)
           WHERE a.datname = current_database() AND l.locktype = 'advisory' AND l.granted
             AND a.state = 'active' AND a.query LIKE 'INSERT INTO ingest.checked%'`,
        ),
      ).toHaveLength(1),
    { timeout: 60_000, interval: 1 },
  )
  expect(await attempt).not.toMatchObject({ status: 'succeeded' })
  expect(await stagingTables(db)).toEqual([])
  expect(await db.query('SELECT FROM registry.company')).toEqual([])
  expect(await ingest('mca-companies', path)).toMatchObject({ status: 'succeeded', inserted: count - 3, rejected: 3 })
})
