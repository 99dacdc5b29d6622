/** PINs that stand at the end of an address alone. */
import { expect, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)

const ends = [
  ['H NO 5,Panaji,Goa,403001,India', '403001'],
  ['H NO 5,Panaji,Goa 403001, INDIA.', '403001'],
  ['H NO 5, Panaji, Goa, India - 403001', '403001'],
  ['H NO 5, Panaji Goa 403001 IN', '403001'],
  ['PLOT 123456,Panaji,Goa,India', null],
  ['H NO 5,Panaji,Goa,000000-India', null],
  ['H NO 5,Panaji,Goa,SECTOR 12 3456', null],
] as const

test('the PIN at the end of an address is read, whether or not the country follows it', async () => {
  const header = 'CIN,Company Name,Company Status,Date of Registration,Registered Address'
  const lines = ends.map(([address], index) => `U85100GA2022PTC01605${index},A,Active,23-11-2022,"${address}"`)
  await ingest('mca-companies', file('ends.csv', [header, ...lines, ''].join('\n')), { mode: 'delta' })
  expect(await database.db.query('SELECT pincode FROM registry.company ORDER BY cin')).toEqual(
    ends.map(([, pincode]) => ({ pincode })),
  )
})

test('an address tells the PIN, and by it the district and the state, where no cell of its own does', async () => {
  const pins = ['pincode,state,district,offices', '400001,MAHARASHTRA,MUMBAI,9', '403001,GOA,NORTH GOA,9', '']
  await ingest('pincodes', file('pins.csv', pins.join('\n')))
  const taxpayers = [
    'gstin,lgnm,sts,dty,rgdt,adr,pncd',
    '27AAACH2702H1Z0,ITS OWN,Active,Regular,01/07/2017,"12, MG ROAD, Mumbai, Maharashtra, 400001",400020',
    '27AAACR5055K1Z7,OF THE ADDRESS,Active,Regular,01/07/2017,"12, MG ROAD, Mumbai, Maharashtra, 400001",',
    '27AAACT2727Q1ZW,WITHOUT,Active,Regular,01/07/2017,"PLOT 123456, Mumbai",',
    '',
  ]
  await ingest('gst-taxpayers', file('taxpayers.csv', taxpayers.join('\n')))
  expect(
    await database.db.query('SELECT legal_name AS name, pincode, district FROM registry.gst_taxpayer ORDER BY gstin'),
  ).toEqual([
    { name: 'ITS OWN', pincode: '400020', district: null },
    { name: 'OF THE ADDRESS', pincode: '400001', district: 'Mumbai' },
    { name: 'WITHOUT', pincode: null, district: null },
  ])
  const directors = 'DIN,FullName,DINStatus,Address\n00090051,A B,Approved,"5 X ROAD, PANAJI, GOA - 403001"\n'
  await ingest('mca-directors', file('directors.csv', directors))
  expect(await database.db.query('SELECT city, district, state, pincode FROM registry.director')).toEqual([
    { city: 'North Goa', district: 'North Goa', state: 'Goa', pincode: '403001' },
  ])
})

test('an address without a PIN takes none away that another file told', async () => {
  const told = 'DIN,FullName,DINStatus,Address,Pincode\n00090052,A B,Approved,5 X ROAD,403001\n'
  await ingest('mca-directors', file('told.csv', told), { mode: 'delta' })
  const without = 'DIN,FullName,DINStatus,Address\n00090052,A B,Approved,7 Y ROAD\n'
  const run = await ingest('mca-directors', file('without.csv', without), { mode: 'delta' })
  expect(run).toMatchObject({ updated: 1 })
  expect(await database.db.query(`SELECT address, pincode FROM registry.director WHERE din = '00090052'`)).toEqual([
    { address: '7 Y ROAD', pincode: '403001' },
  ])
})
