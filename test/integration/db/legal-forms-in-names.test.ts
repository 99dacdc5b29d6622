/** Names that an earlier release imported are found by the legal forms that it did not know. */
import { expect, test } from 'vitest'
import { listMigrations, migrateTo } from '../../../src/db/migrate.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertCompany, insertGst } from '../../support/registry-rows.ts'

const database = useTestDatabase()

test('a migration brings names of other legal forms to one search form, and leaves all others', async () => {
  const { db } = database
  const names = [
    'Sea Foods (P) Ltd.',
    'SEA FOODS LIMITED LIABILITY PARTNERSHIP',
    'SEA FOODS PVT LTD',
    'PARTNERSHIP LIMITED',
    'SECTION (P) FOODS LTD',
  ]
  for (const [index, name] of names.entries()) await insertCompany(db, { cin: `U85100GA2022PTC00000${index}`, name })
  await insertGst(db, { gstin: '30AAACH8471F1Z5', legal_name: 'SEA FOODS (P) LTD' })
  await insertGst(db, { gstin: '30AAACH8471F2Z4', legal_name: 'SEA FOODS (P) LTD', trade_name: 'FISH' })
  const state = async () => ({
    companies: await db.query('SELECT * FROM registry.company ORDER BY cin'),
    gst: await db.query('SELECT * FROM registry.gst_taxpayer ORDER BY gstin'),
  })
  const now = await state()
  // As a release before it left the registers.
  await db.execute(`UPDATE registry.company SET name_key = 'sea foods p' WHERE name LIKE '%(P) Ltd.';
    UPDATE registry.company SET name_key = 'sea foods liability partnership' WHERE name LIKE '%LIABILITY%';
    UPDATE registry.gst_taxpayer SET name_key = 'sea foods p' WHERE trade_name IS NULL;
    DELETE FROM runtime.migration WHERE name = '0046_legal_forms_in_names.sql'`)
  await migrateTo(db, listMigrations())
  expect(await state()).toEqual(now)
  expect(now.companies).toMatchObject(
    ['sea foods', 'sea foods', 'sea foods', 'partnership', 'section p foods'].map((name_key) => ({ name_key })),
  )
  expect(now.gst).toMatchObject([{ name_key: 'sea foods' }, { name_key: 'fish' }])
})
