import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { generateReferenceSnapshots } from '../../../sample/reference-snapshots.ts'
import { sharedFile, testWithSharedData } from '../../support/shared-data.ts'
import { fileOf, sample, value } from './read-snapshot.ts'

type Rows = Record<string, string>[]

async function reference(): Promise<{ pincodes: Rows; nic: Rows; tariff: Rows }> {
  const outDir = mkdtempSync(join(tmpdir(), 'panji-reference-'))
  try {
    const { files } = await generateReferenceSnapshots(outDir)
    const [pincodes = [], nic = [], tariff = []] = files.map(({ path, rows }) => {
      const records = parse(readFileSync(path, 'utf8'), { columns: true }) as Rows
      expect(records).toHaveLength(rows)
      return records
    })
    return { pincodes, nic, tariff }
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}

test('every place and every industry of a sample is in the reference lists, each once', async () => {
  const { pincodes, nic } = await reference()
  const { records } = fileOf(await sample({ companies: 5_000, noise: false }), 'mca-companies')
  const placeOf = new Map(pincodes.map((row) => [row['pincode'], `${row['district']},${row['state']}`]))
  expect(placeOf.size).toBe(pincodes.length)
  const divisions = new Set(nic.map((row) => `${row['vintage']} ${row['code']}`))
  expect(divisions.size).toBe(nic.length)

  for (const record of records) {
    const [district, state, pin = ''] = value(record, 'Registered_Office_Address').split(',').slice(-3)
    expect(placeOf.get(pin.slice(0, 6))).toBe(`${district},${state}`)
    const code = value(record, 'nic_code')
    const vintages = value(record, 'CompanyRegistrationdate_date') < '2023' ? ['2004'] : ['2008', '2004']
    if (code)
      expect(
        vintages.some((vintage) => divisions.has(`${vintage} ${code.slice(0, 2)}`)),
        code,
      ).toBe(true)
  }
})

test('every code of goods and services of a sample is described, each once', async () => {
  const { tariff } = await reference()
  const described = new Map(
    tariff.map((row) => [`${row['HSN_CD']}${row['SAC_CD']}`, `${row['HSN_Description']}${row['SAC_Description']}`]),
  )
  expect(described.size).toBe(tariff.length)
  const { records } = fileOf(await sample({ gst: 2_000, noise: false }), 'gst-taxpayers')
  const codes = new Set(
    records.flatMap((record) => `${value(record, 'hsncd')};${value(record, 'saccd')}`.split(';').filter(Boolean)),
  )
  expect(codes.size).toBeGreaterThan(40)
  expect([...codes].filter((code) => !described.get(code))).toEqual([])
})

const pinDirectory = 'reference/pincode_district_state.csv'
testWithSharedData(pinDirectory)('the postal codes lie where the PIN directory says', async () => {
  const { pincodes } = await reference()
  const rows = parse(readFileSync(sharedFile(pinDirectory), 'utf8'), { columns: true }) as Rows
  const known = new Set(rows.map((row) => `${row['pincode']} ${row['district']} ${row['state']}`))
  const missing = pincodes
    .map((row) => `${row['pincode']} ${row['district']} ${row['state']}`.toUpperCase())
    .filter((place) => !known.has(place))
  expect(missing).toEqual([])
})
