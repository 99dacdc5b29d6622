/** Names of places are written in the capitals that they have. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

async function answers(expression: string, values: readonly string[]): Promise<(string | null)[]> {
  const rows = await database.db.query<{ answer: string | null }>(
    `SELECT (${expression})::text AS answer FROM unnest($1::text[]) WITH ORDINALITY AS given(v, n) ORDER BY n`,
    [values],
  )
  return rows.map(({ answer }) => answer)
}

const names = {
  NTR: 'NTR',
  'ntr district': 'NTR District',
  YSR: 'YSR',
  'Y.S.R. KADAPA': 'Y.S.R. Kadapa',
  'Y S R KADAPA': 'Y S R Kadapa',
  'SPSR NELLORE': 'SPSR Nellore',
  'SAS NAGAR': 'SAS Nagar',
  'DR. B.R. AMBEDKAR KONASEEMA': 'Dr. B.R. Ambedkar Konaseema',
  '24 PARAGANAS NORTH': '24 Paraganas North',
  'NORTH AND MIDDLE ANDAMAN': 'North and Middle Andaman',
  'DADRA AND NAGAR HAVELI': 'Dadra and Nagar Haveli',
  'LAHUL AND SPITI': 'Lahul and Spiti',
  'THE NILGIRIS': 'The Nilgiris',
  'VASCO DA GAMA': 'Vasco Da Gama',
  'KAIMUR (BHABUA)': 'Kaimur (Bhabua)',
  'ST MARY’S ROAD': 'St Mary’s Road',
  "KING'S CIRCLE": "King's Circle",
  "D'SOUZA NAGAR": "D'Souza Nagar",
  'NEHRU NAGAR PHASE III': 'Nehru Nagar Phase III',
  'HSR LAYOUT': 'HSR Layout',
  'MIDC ANDHERI': 'MIDC Andheri',
  'NEW MKT NGR': 'New Mkt Ngr',
  'NAVI MUMBAI': 'Navi Mumbai',
}

test.each(Object.entries(names))('the place %s is written %s, whatever its capitals are', async (text, name) => {
  const spellings = [text, text.toLowerCase(), name]
  expect(await answers('ingest.place_name(v, NULL)', spellings)).toEqual(spellings.map(() => name))
})

test('districts of the PIN directory, of addresses and of records have the one spelling', async () => {
  const pins = ['pincode,state,district,offices', '520001,ANDHRA PRADESH,NTR,9', '524001,ANDHRA PRADESH,SPSR NELLORE,9']
  await ingest(
    'pincodes',
    file('pins.csv', [...pins, '744202,ANDAMAN AND NICOBAR ISLANDS,NORTH AND MIDDLE ANDAMAN,4', ''].join('\n')),
  )
  expect(await database.db.query('SELECT id FROM reference.pincode ORDER BY pincode')).toEqual([
    { id: '520001|NTR|Andhra Pradesh' },
    { id: '524001|SPSR Nellore|Andhra Pradesh' },
    { id: '744202|North and Middle Andaman|Andaman and Nicobar Islands' },
  ])
  // As an import of an earlier release wrote it.
  await database.db.execute(`UPDATE reference.pincode SET district = 'Ntr' WHERE pincode = '520001'`)
  const lines = [
    '00090001,A,Approved,Vijayawada,ntr,Andhra Pradesh,520001',
    '00090002,B,Approved,Nellore,spsr nellore,Andhra Pradesh,',
    '00090003,C,Approved,MAYABUNDER,,,744202',
  ]
  const text = ['DIN,FullName,DINStatus,City,District,State,Pincode', ...lines, ''].join('\n')
  expect(await ingest('mca-directors', file('districts.csv', text), { mode: 'delta' })).toMatchObject({ inserted: 3 })
  const rows = await database.db.query(`SELECT district FROM registry.director WHERE din LIKE '0009000%' ORDER BY din`)
  expect(rows).toEqual(['Ntr', 'SPSR Nellore', 'North and Middle Andaman'].map((district) => ({ district })))
})

test('a directory that names a district in two spellings gives each record once', async () => {
  await database.db.execute(`INSERT INTO reference.pincode (id, pincode, district, state, offices, first_run_id, last_run_id, as_of)
    SELECT '520001|NTR', pincode, 'NTR', state, offices, first_run_id, last_run_id, as_of FROM reference.pincode WHERE district = 'Ntr'`)
  const [header, first] = readFileSync(registryFixture('mca-companies-2023.csv'), 'utf8').split('\n')
  const line = first
    ?.replace(/^[^,]*/, 'U85100AP2022PTC015990')
    .replace(/"[^"]*India"/, '"1 A ROAD,NTR,Andhra Pradesh,520001-India"')
  const run = await ingest('mca-companies', file('twice.csv', [header, line, ''].join('\n')), { mode: 'delta' })
  expect(run).toMatchObject({ rows_read: 1, inserted: 1, rejected: 0 })
})
