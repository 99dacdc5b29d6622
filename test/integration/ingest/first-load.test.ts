import { beforeEach, expect, test } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { waitingServersAreStopped } from '../../support/faketime-limits.ts'
import { stagingTables, toldChanges, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

beforeEach(() => emptyRegisters(database.db))

const header = 'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,nic_code' // biome-ignore format: a header
const companies = (rows: number): string =>
  `${[
    header,
    ...Array.from({ length: rows }, (_, index) => {
      const cin = `U74999GA2019PTC${String(index).padStart(6, '0')}`
      const day = `2019-05-${String((index % 28) + 1).padStart(2, '0')}`
      return `${cin},COMPANY ${index} PRIVATE LIMITED,ROC Goa,Company limited by shares,${day},X,Unlisted,Active,74999`
    }),
  ].join('\n')}\n`

/** All that a table is to those who use it, but for its rows. */
const shapeOf = (table: string) =>
  database.db.query(
    `SELECT 'column ' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull AS line
     FROM pg_attribute WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped
     UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname || '.' || tablename = $1::text
     UNION ALL SELECT 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = $1::text::regclass
     UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = $1::text::regclass
     UNION ALL SELECT 'grants ' || coalesce(relacl::text, '') || ' options ' || coalesce(reloptions::text, '')
       FROM pg_class WHERE oid = $1::text::regclass
     UNION ALL SELECT 'view ' || pg_get_viewdef('feed.company'::regclass) ORDER BY 1`,
    [table],
  )
const oid = async () =>
  (await database.db.query<{ oid: number }>(`SELECT 'registry.company'::regclass::oid AS oid`))[0]?.oid

test('the first load of a register leaves the table as the migrations made it, with its rows, history and feed', async () => {
  const role = `first_load_${process.pid}`
  await database.db.execute(`CREATE ROLE ${role}; GRANT SELECT ON registry.company TO ${role}`)
  const [before, oidBefore] = [await shapeOf('registry.company'), await oid()]
  const run = await ingest('mca-companies', file('first.csv', companies(20_500)), { asOf: '2025-01-01' })
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 20_500, inserted: 20_500, rejected: 0 })
  // It was the way aside that was taken, or there would be nothing to compare.
  expect(await oid()).not.toBe(oidBefore)
  expect(await shapeOf('registry.company')).toEqual(before)
  await database.db.execute(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
  const [rows] = await database.db.query(
    sql`SELECT (SELECT count(*) FROM registry.company WHERE name_key LIKE 'company %' AND fingerprint IS NOT NULL) AS companies,
            (SELECT count(*) FROM ${toldChanges} h WHERE kind = 'insert') AS history,
            (SELECT count(*) FROM ingest.change) AS written,
            (SELECT count(*) FROM feed.registration WHERE dataset = 'company') AS feed`,
  )
  expect(rows).toEqual({ companies: 20_500, history: 20_500, written: 0, feed: 20_500 })
  expect(await stagingTables(database.db)).toEqual([])
})

test.skipIf(!waitingServersAreStopped)(
  'a reader that keeps the empty register open delays nobody and loses nothing',
  async () => {
    const path = file('again.csv', companies(20_400))
    const run = await database.db.withConnection(async (reader) => {
      await reader.execute('BEGIN')
      await reader.query('SELECT count(*) FROM registry.company')
      const ended = await ingest('mca-companies', path, { asOf: '2025-01-01' })
      await reader.execute('COMMIT')
      return ended
    })
    expect(run).toMatchObject({ status: 'succeeded', inserted: 20_400 })
    expect(await database.db.query('SELECT count(*) AS rows FROM registry.company')).toEqual([{ rows: 20_400 }])
    expect(await database.db.query(`SELECT to_regclass('registry.company_aside') AS aside`)).toEqual([{ aside: null }])
  },
)
