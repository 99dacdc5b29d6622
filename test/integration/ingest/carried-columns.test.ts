/** A column that a file does not carry is never changed by it, of every source and whichever columns it leaves out. */
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { sources } from '../../../config/sources/index.ts'
import type { HeaderGeneration, Source } from '../../../config/sources/source.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const setup = useIngest(database)

beforeEach(async () => {
  await emptyRegisters(database.db)
})

const fullCells: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'mca-companies': {
    id: 'U85100GA2022PTC015001',
    name: 'KONKAN CASHEW PRIVATE LIMITED',
    status: 'Active',
    class: 'Private',
    category: 'Company limited by shares',
    subCategory: 'Non-government company',
    authorisedCapital: '100000',
    paidUpCapital: '50000',
    registeredOn: '2024-05-20',
    address: '12 BEACH ROAD CALANGUTE',
    registrar: 'ROC Goa',
    listing: 'Listed',
    state: 'Maharashtra',
    origin: 'Indian',
    nicCode: '10712',
    industry: 'Manufacture of cashew sweets',
    email: 'office@konkan.example',
    lastAgmOn: '2024-09-30',
    balanceSheetOn: '2024-03-31',
    district: 'Sindhudurg',
    previousIds: 'U85100GA2001PTC003101',
    contribution: '100000',
  },
  'mca-directors': {
    id: '00012345',
    firstName: 'ASHA',
    middleName: 'RAMESH',
    lastName: 'DE SOUZA',
    fullName: 'ASHA RAMESH DE SOUZA',
    status: 'Approved',
    approvedOn: '2020-01-05',
    disqualified: 'No',
    nationality: 'Indian',
    gender: 'Female',
    bornOn: '1980-02-14',
    citizenOfIndia: 'Yes',
    residentOfIndia: 'Yes',
    address: '12 Fontainhas',
    city: 'Panaji',
    district: 'North Goa',
    state: 'Goa',
    country: 'India',
    pincode: '403001',
  },
  'mca-directorships': {
    company: 'U85100GA2022PTC015001',
    director: '00012345',
    designation: 'Director',
    appointedOn: '2022-11-23',
    ceasedOn: '2024-03-31',
  },
  'gst-taxpayers': {
    id: '27AAACR5055K1Z7',
    legalName: 'KONKAN PETRO LIMITED',
    tradeName: 'KONKAN PETRO',
    constitution: 'Public Limited Company',
    taxpayerType: 'Regular',
    status: 'Active',
    registeredOn: '01/07/2017',
    cancelledOn: '05/08/2024',
    activities: 'Export;Import',
    coreBusiness: 'MFT',
    building: '101',
    floor: '1st',
    buildingName: 'Harbour House',
    street: 'Marine Lines',
    locality: 'Churchgate',
    district: 'Mumbai City',
    city: 'Mumbai',
    state: 'Maharashtra',
    pincode: '400020',
    address: '',
    stateJurisdiction: 'State - Maharashtra',
    centreJurisdiction: 'Range IV',
    hsnCodes: '2710;2711',
    sacCodes: '998599',
    lastUpdated: '05/08/2024',
  },
  contacts: {
    entity: 'company',
    identifier: 'U85100GA2022PTC015001',
    email: 'office@konkan.example',
    mobile: '+919812345678',
    phone: '+919812345679',
    website: 'https://konkan.example',
    origin: 'vendor',
  },
  preferences: {
    value: '+919812345678',
    preference: 'do_not_contact',
    list: 'DND',
    statedOn: '2025-01-01',
    expiresOn: '2030-01-01',
  },
  nic: {
    code: '10712',
    level: 'sub-class',
    section: 'C',
    division: '10',
    description: 'Manufacture of sweets',
    vintage: '2008',
  },
  pincodes: { pincode: '403001', state: 'Goa', district: 'North Goa', offices: '4' },
}

let files = 0
let day = 0

/** Takes the record in with these of its fields, in a file of a later day than all before. */
async function takeIn(source: Source, generation: HeaderGeneration, fields: readonly string[]): Promise<void> {
  const cells = fullCells[source.name] ?? {}
  const header = fields.map((field) => generation.columns[field]?.[0] ?? '')
  const quoted = (values: readonly string[]) => values.map((value) => `"${value}"`).join(',')
  const text = `${quoted(header)}\n${quoted(fields.map((field) => cells[field] ?? ''))}\n`
  const asOf = new Date(Date.UTC(2020, 0, ++day)).toISOString().slice(0, 10)
  const path = setup.file(`carried-${++files}.csv`, text)
  const run = await setup.ingest(source.name, path, { asOf, mode: 'delta', force: true })
  expect(run, fields.join(', ')).toMatchObject({ status: 'succeeded', rejected: 0 })
}

const rowsOf = (source: Source) =>
  database.db.query<{ row: object }>(
    `SELECT to_jsonb(t) - ARRAY['first_run_id', 'last_run_id', 'as_of', 'fingerprint'] AS row FROM ${source.table} t ORDER BY 1`,
  )

/** What makes up the key tells another record where it is missing. */
function keyFields(source: Source): string[] {
  const rule = source.columns[source.key]
  if (rule?.kind !== 'joined') return []
  return [...rule.columns, ...(rule.optional ?? [])].flatMap((name) => {
    const own = source.columns[name]
    return own && 'from' in own && typeof own.from === 'string' ? [own.from] : []
  })
}

describe.each(sources.filter(({ name }) => fullCells[name]))('of $name', (source) => {
  test('a file with any of the columns, and the same in them, changes nothing', async () => {
    const [first] = source.generations
    if (!first) throw new Error('a source has a header')
    const every = Object.keys(fullCells[source.name] ?? {})
    await takeIn(source, first, every)
    const before = await rowsOf(source)
    const always = (generation: HeaderGeneration) => [...new Set([...generation.required, ...keyFields(source)])]
    const sets = source.generations.map((generation) => always(generation))
    const optional = every.filter((field) => !always(first).includes(field))
    sets.push(...optional.map((left) => every.filter((field) => field !== left)))
    sets.push(...optional.map((field) => [...always(first), field]))
    for (const generation of source.generations) {
      sets.push(...fc.sample(fc.subarray(every), 5).map((fields) => [...always(generation), ...fields]))
    }
    for (const fields of sets) {
      const shown = every.filter((field) => fields.includes(field))
      // Either is the director's name; a header with neither names nobody.
      const isNamed = source.name !== 'mca-directors' || shown.includes('fullName') || shown.includes('lastName')
      await takeIn(source, first, isNamed ? shown : [...shown, 'fullName'])
      expect(await rowsOf(source), `a file of ${shown.join(', ')}`).toEqual(before)
    }
  }, 120_000)
})

test('of what a file carries in part, what it says anew is taken', async () => {
  const gst = (rows: string) => setup.file(`gst-${++files}.csv`, rows)
  const take = (rows: string, asOf: string) => setup.ingest('gst-taxpayers', gst(rows), { asOf, mode: 'delta' })
  await take(
    'gstin,lgnm,dty,sts,rgdt,bno,st,loc,city,dst,stcd,pncd,flno,bnm\n27AAACR5055K1Z7,A,Regular,Active,01/07/2017,101,Marine Lines,Churchgate,Mumbai,Mumbai City,Maharashtra,400020,1st,Harbour House\n',
    '2025-01-01',
  )
  await take(
    'gstin,lgnm,dty,sts,rgdt,bno,st,stcd,dst\n27AAACR5055K1Z7,A,Regular,Active,01/07/2017,7,Hill Road,Maharashtra,Mumbai Suburban\n',
    '2025-02-01',
  )
  expect(await database.db.query('SELECT address, city, district, pincode FROM registry.gst_taxpayer')).toEqual([
    {
      address: '7, Hill Road, Mumbai Suburban, Maharashtra',
      ...{ city: 'Mumbai', district: 'Mumbai Suburban', pincode: '400020' },
    },
  ])
})

test('a shorter address is another one; an empty cell of the whole address takes none away that its parts may have told', async () => {
  const take = async (header: string, cells: string, asOf: string) => {
    const text = `gstin,lgnm,dty,sts,rgdt,${header}\n27AAACR5055K1Z7,A,Regular,Active,01/07/2017,${cells}\n`
    await setup.ingest('gst-taxpayers', setup.file(`gst-${++files}.csv`, text), { asOf, mode: 'delta' })
    const [row] = await database.db.query<{ address: string | null }>('SELECT address FROM registry.gst_taxpayer')
    return row?.address
  }
  expect(await take('adr', '"Flat 3, 12, Hill Road"', '2025-01-01')).toBe('Flat 3, 12, Hill Road')
  expect(await take('adr', '"12, Hill Road"', '2025-02-01')).toBe('12, Hill Road')
  expect(await take('adr', '', '2025-03-01')).toBe('12, Hill Road')
  const all = 'adr,bno,flno,bnm,st,loc,city,dst,stcd,pncd'
  expect(await take(all, ',7,,,Hill Road,,,,,', '2025-04-01')).toBe('7, Hill Road')
  expect(await take(all, ',,,,,,,,,', '2025-05-01')).toBeNull()
})

test('a record that is new from a file without address columns has no address made up of its state', async () => {
  const path = setup.file(
    `gst-${++files}.csv`,
    'gstin,lgnm,dty,sts,rgdt,stcd,dst\n27AAACR5055K1Z7,A,Regular,Active,01/07/2017,Maharashtra,Mumbai City\n',
  )
  await setup.ingest('gst-taxpayers', path, { asOf: '2025-01-01' })
  expect(await database.db.query('SELECT address, district, state FROM registry.gst_taxpayer')).toEqual([
    { address: null, district: 'Mumbai City', state: 'Maharashtra' },
  ])
})

test('a district that its column told is not guessed anew from the address that is the same', async () => {
  const take = async (header: string, address: string, cells: string, asOf: string, status = 'Active') => {
    const text = `LLPIN,LLP Name,Founded,ROC Location,Status,Address${header}\nAAC-3965,A LLP,12/11/2023,ROC Goa,${status},"${address}"${cells}\n`
    await setup.ingest('mca-companies', setup.file(`llps-${++files}.csv`, text), { asOf, mode: 'delta' })
    const [row] = await database.db.query<{ district: string | null }>('SELECT district FROM registry.company')
    return row?.district
  }
  const address = '1 MG ROAD,PANAJI,Goa,403001-India'
  expect(await take(',District', address, ',North Goa', '2025-01-01')).toBe('North Goa')
  expect(await take('', address, '', '2025-02-01', 'Inactive')).toBe('North Goa')
  expect(await take('', '2 LINK ROAD,MARGAO,Goa,403601-India', '', '2025-03-01')).toBe('Margao')
  const pins = setup.file(`pins-${++files}.csv`, 'pincode,state,district,offices\n403601,GOA,SOUTH GOA,4\n')
  await setup.ingest('pincodes', pins, { asOf: '2025-03-01' })
  expect(await take('', '2 LINK ROAD,MARGAO,Goa,403601-India', '', '2025-04-01', 'Inactive')).toBe('South Goa')
})

test('digits of industry that a file takes away take the vintage of their list with them', async () => {
  const take = async (header: string, cells: string, asOf: string) => {
    const text = `LLPIN,LLP Name,Founded,ROC Location,Status,Address${header}\nAAC-3965,A LLP,12/11/2023,ROC Goa,Active,X${cells}\n`
    await setup.ingest('mca-companies', setup.file(`llps-${++files}.csv`, text), { asOf, mode: 'delta' })
    return database.db.query('SELECT nic_code, nic_vintage FROM registry.company')
  }
  const told = [{ nic_code: 62011, nic_vintage: 2008 }]
  expect(await take(',Industrial Activity', ',62011', '2025-01-01')).toEqual(told)
  expect(await take('', '', '2025-02-01')).toEqual(told)
  expect(await take(',Industrial Activity', ',', '2025-03-01')).toEqual([{ nic_code: null, nic_vintage: null }])
})

test('a registration that is active again in a file without days of cancellation has none', async () => {
  const take = async (header: string, cells: string, asOf: string) => {
    const text = `gstin,lgnm,dty,rgdt${header}\n27AAACR5055K1Z7,A,Regular,01/07/2017${cells}\n`
    await setup.ingest('gst-taxpayers', setup.file(`gst-${++files}.csv`, text), { asOf, mode: 'delta' })
    const [row] = await database.db.query<{ cancelled_on: string | null }>(
      'SELECT cancelled_on FROM registry.gst_taxpayer',
    )
    return row?.cancelled_on
  }
  expect(await take(',sts,cxdt', ',Cancelled,05/08/2024', '2025-01-01')).toBe('2024-08-05')
  expect(await take(',sts', ',Cancelled suo-moto', '2025-02-01')).toBe('2024-08-05')
  expect(await take(',sts', ',Suspended', '2025-03-01')).toBe('2024-08-05')
  expect(await take(',sts', ',', '2025-04-01')).toBe('2024-08-05')
  expect(await take('', '', '2025-05-01')).toBe('2024-08-05')
  expect(await take(',sts,cxdt', ',Cancelled,05/08/2024', '2025-06-01')).toBe('2024-08-05')
  expect(await take(',sts', ',Active', '2025-07-01')).toBeNull()
  expect(await take(',sts', ',Cancelled', '2025-08-01')).toBeNull()
  const history = await database.db.query(
    `SELECT before ->> 'cancelled_on' AS before, after FROM ingest.change WHERE as_of = '2025-07-01'`,
  )
  expect(history).toMatchObject([{ before: '2024-08-05', after: { status: 'Active', cancelled_on: null } }])
})
