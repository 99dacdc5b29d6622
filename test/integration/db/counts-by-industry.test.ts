/** Registers that an earlier release filled are counted by industry as they are upgraded, while imports go on. */
import { expect, test } from 'vitest'
import { listMigrations, migrate, migrateTo } from '../../../src/db/migrate.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertCompany, insertGst } from '../../support/registry-rows.ts'

const database = useTestDatabase()
const names = ['0043_counts_by_industry.sql', '0045_counts_by_code.sql']
const functions = [
  'counted_industries',
  'industry_cells',
  'adding_industries',
  'recount_industries',
  'miscounted_industries',
  'changes_of',
]

const cells = () =>
  database.db.query('SELECT dataset, industry, state, status, records FROM feed.industry_count ORDER BY 1, 2, 3, 4')

test('what a register holds is counted by its migration, and what imports write before the functions are renewed', async () => {
  const { db } = database
  await insertCompany(db, {
    cin: 'U85100GA2022PTC000001',
    name: 'A',
    state: 'Goa',
    nic_description: 'Growing of cereals',
  })
  await insertCompany(db, { cin: 'U85100GA2022PTC000002', name: 'B', state: 'Goa', closed_on: '2025-01-01' })
  await insertGst(db, {
    gstin: '30AAACH8471F1Z5',
    state: 'Goa',
    status: 'Active',
    hsn_codes: ['0902', '847130', '847141'],
  })
  const whole = await cells()
  expect(whole).toHaveLength(6)
  // As a release before it left the database.
  await db.execute(`DROP TABLE feed.industry_count; DROP FUNCTION ${functions.map((each) => `feed.${each}`).join(', ')};
    CREATE OR REPLACE FUNCTION feed.count_changes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
    DELETE FROM runtime.sql_function WHERE name LIKE 'feed.%industries' OR name IN ('feed.count_changes', 'feed.changes_of', 'feed.industry_cells')`)
  await db.execute('DELETE FROM runtime.migration WHERE name = ANY ($1::text[])', [names])
  await migrateTo(db, listMigrations())
  expect(await cells()).toEqual(whole)
  await database
    .as('panji_worker')
    .execute(`UPDATE registry.gst_taxpayer SET hsn_codes = '{0902}', status = 'Suspended'`)
  const moved = [
    { dataset: 'company', industry: 'Growing of cereals', state: 'Goa', status: null, records: 1 },
    { dataset: 'gst', industry: '0902', state: 'Goa', status: 'Active', records: 0 },
    { dataset: 'gst', industry: '0902', state: 'Goa', status: 'Suspended', records: 1 },
    { dataset: 'gst', industry: '8471', state: 'Goa', status: 'Active', records: 0 },
    { dataset: 'gst_code', industry: '0902', state: 'Goa', status: 'Active', records: 0 },
    { dataset: 'gst_code', industry: '0902', state: 'Goa', status: 'Suspended', records: 1 },
    { dataset: 'gst_code', industry: '847130', state: 'Goa', status: 'Active', records: 0 },
    { dataset: 'gst_code', industry: '847141', state: 'Goa', status: 'Active', records: 0 },
  ]
  expect(await cells()).toEqual(moved)
  expect(await migrate(db)).toContain('functions/feed.count_changes.sql')
  expect(await cells()).toEqual(moved)
  expect(await db.query(`SELECT FROM feed.miscounted_industries('gst')`)).toEqual([])
})
