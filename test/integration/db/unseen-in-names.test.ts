/** Names that an earlier release imported are found by what one reads, whatever stands unseen in them. */
import { expect, test } from 'vitest'
import { listMigrations, migrateTo } from '../../../src/db/migrate.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertCompany, insertDirector, insertGst } from '../../support/registry-rows.ts'

const database = useTestDatabase()

test('a migration brings names with unseen characters to their search form in every register', async () => {
  const { db } = database
  await insertCompany(db, { cin: 'U85100GA2022PTC000100', name: '\ufeffBOM\u3000LTD' })
  await insertCompany(db, { cin: 'U85100GA2022PTC000101', name: 'CAF\u00c9 LTD' })
  await insertGst(db, { gstin: '30AAACH8471F3Z3', legal_name: 'BOM LTD', trade_name: 'BO\u200bM' })
  await insertDirector(db, { din: '00000101', full_name: 'ASHA\u200e KAMAT' })
  const keys = async () =>
    Promise.all(
      ['company', 'gst_taxpayer', 'director'].map((table) =>
        db.query(`SELECT name_key FROM registry.${table} WHERE name_key ~ '^(bom|caf|asha)' ORDER BY name_key`),
      ),
    )
  const wanted = [[{ name_key: 'bom' }, { name_key: 'cafe' }], [{ name_key: 'bom' }], [{ name_key: 'asha kamat' }]]
  expect(await keys()).toEqual(wanted)
  await db.execute(`UPDATE registry.company SET name_key = E'\ufeffbom\u3000ltd' WHERE name_key = 'bom';
    UPDATE registry.gst_taxpayer SET name_key = E'bo\u200bm' WHERE name_key = 'bom';
    UPDATE registry.director SET name_key = E'asha\u200e kamat' WHERE name_key = 'asha kamat';
    DELETE FROM runtime.migration WHERE name = '0047_unseen_in_names.sql'`)
  await migrateTo(db, listMigrations())
  expect(await keys()).toEqual(wanted)
})
